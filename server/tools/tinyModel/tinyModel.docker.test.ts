/** A model deployed with "Deploy a model" on the built-in host: a real engine behind the gateway. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelCompose } from '../../../console/lib/ai/modelCompose';
import { DockerApi } from '../../teepod/engine/dockerApi';
import type { Teepod } from '../../teepod/server';
import { Client, startInProcess, temporaryDirectory, until } from '../../teepod/testing/client';
import { ensureDocker } from '../docker';
import { continueLoading, ensureTinyModelImage } from './image';
import { serveImage, type LocalRegistry } from './registry';
import { TINY_MODEL } from './weights';

const KEY = 'violet-kettle-under-the-stairs';
const CONTEXT = 1024;

let api: DockerApi;
let registry: LocalRegistry;
let dir: Awaited<ReturnType<typeof temporaryDirectory>>;
let teepod: Teepod;
let client: Client;
let vm: string;
let instance: string;

beforeAll(async () => {
  const found = await ensureDocker();
  if ('reason' in found) throw new Error(found.reason);
  api = new DockerApi(found.socket);
  const image = await ensureTinyModelImage(api.host, { holds: true });
  registry = await serveImage(api.host, image, 'teehouse/tiny-model');
  dir = await temporaryDirectory();
  teepod = await startInProcess(dir.path, { TEEPOD_ENGINE: 'docker', TEEPOD_REGISTRIES: registry.host });
  client = new Client(teepod.listen);
}, 180_000);
afterAll(async () => {
  if (vm) await client.remove(vm);
  await teepod?.close();
  await dir?.remove();
  await registry?.close();
}, 120_000);

/** Requests the model server through the gateway. */
const ask = (path: string, { body, key = KEY }: { body?: object; key?: string } = {}) =>
  new Client(`http://127.0.0.1:${teepod.gateway_port}`).text(path, {
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    headers: {
      host: `${instance}-8080.cvm.localhost:${teepod.gateway_port}`,
      authorization: `Bearer ${key}`,
    },
  });
const chat = {
  model: 'tiny-random',
  messages: [{ role: 'user', content: 'Grüße' }],
  max_tokens: 6,
};
/** Token count: the text's start and each of its bytes are one token. */
const PROMPT_TOKENS = 1 + Buffer.byteLength('user: Grüße\nassistant:');

test('is pulled by its digest, loads and becomes healthy', async () => {
  const compose = modelCompose({
    model: TINY_MODEL,
    served_name: 'tiny-random',
    engine: 'llamacpp',
    image: registry.reference,
    gpus: 0,
    context: CONTEXT,
    precision: 'q8_0',
    needs_token: false,
  });
  const app_id = randomBytes(20).toString('hex');
  vm = await client.create(
    compose,
    {
      app_id,
      encrypted_env: await client.seal(app_id, [{ key: 'MODEL_API_KEY', value: KEY }]),
      memory: 2048,
    },
    { allowed_envs: ['MODEL_API_KEY'] },
  );
  const { boot_error, instance_id } = await client.booted(vm);
  expect(boot_error).toBe('');
  instance = instance_id ?? '';
  await until('the server to load', async () => ((await ask('/health')).status === 503 ? true : undefined));
  expect((await ask('/v1/models')).status).toBe(503);
  const [container] = await api.containers([`teehouse.vm=${vm}`]);
  await continueLoading(api.host, container?.Id ?? '');
  await until('the model', async () => ((await ask('/health')).status === 200 ? true : undefined));
  await until('the container to be healthy', async () =>
    (await api.containers([`teehouse.vm=${vm}`]))[0]?.Status.includes('(healthy)') ? true : undefined,
  );
});

test('answers with true token counts, for clients with the key', async () => {
  expect((await ask('/v1/models', { key: 'wrong' })).status).toBe(401);
  expect((await ask('/v1/chat/completions', { key: 'wrong', body: chat })).status).toBe(401);
  expect(JSON.parse((await ask('/v1/models')).body)).toMatchObject({
    data: [{ id: 'tiny-random', owned_by: 'random weights, for testing' }],
  });
  const { status, body } = await ask('/v1/chat/completions', { body: chat });
  expect([status, JSON.parse(body)]).toMatchObject([
    200,
    {
      model: 'tiny-random',
      choices: [{ finish_reason: 'length' }],
      usage: { prompt_tokens: PROMPT_TOKENS, completion_tokens: 6 },
    },
  ]);
});

test('streams through the gateway, with the same counts', async () => {
  const { body } = await ask('/v1/chat/completions', {
    body: { ...chat, stream: true, stream_options: { include_usage: true } },
  });
  const events = body.split('\n\n').filter(Boolean);
  expect(events.at(-1)).toBe('data: [DONE]');
  const parts = events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)) as Part);
  expect(parts.filter(({ choices }) => choices[0]?.delta.content)).toHaveLength(6);
  expect(parts.at(-1)?.usage).toEqual({
    prompt_tokens: PROMPT_TOKENS,
    completion_tokens: 6,
    total_tokens: PROMPT_TOKENS + 6,
  });
});

interface Part {
  choices: { delta: { content?: string } }[];
  usage: object | null;
}
