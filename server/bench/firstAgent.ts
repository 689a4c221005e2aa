import { setTimeout as wait } from 'node:timers/promises';
import type { AiGateway, CreatedAiKey, CvmDetail, Provision } from '../../generated/api/types.gen';
import { newCharacter, writeCharacter } from '../../console/lib/agent/character';
import { agentCompose } from '../../console/lib/agent/compose';
import { ownModels } from '../../console/lib/agent/ownModels';
import { sealEnv } from '../../console/lib/secrets/seal';
import { createDb } from '../db/core/client';
import { localSocket } from './deploy';
import { ms, quantile, type Options, type Part } from './report';
import { register } from './seed';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

const MODEL = 'teehouse/echo';
const KEY = 'OPENAI_API_KEY';

/** How much of a first agent's minute this server takes: from its name to an answer of its model. */
export async function firstAgent(options: Options): Promise<Part> {
  const count = options.quick ? 1 : 10;
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, {
      LOCAL_TEEPOD_ENGINE: 'simulate',
      LOCAL_TEEPOD_MAX_CVMS: '100',
      LOCAL_TEEPOD_VCPU: '1000',
      LOCAL_TEEPOD_MEMORY_MB: '1000000',
      LOCAL_TEEPOD_DISK_GB: '10000',
      RECONCILE_SECONDS: '1',
    });
    try {
      const database = await server.database();
      await localSocket(createDb(database.pool)).finally(() => database.stop());
      const { session } = await register(server.url);
      const all: number[] = [];
      for (let i = 0; i < count; i++) all.push(await launch(server.url, session, `Agent ${i}`));
      options.say(`${count} agents`);
      return {
        title: 'First agent',
        how: `${count} agents as Launch makes them, one at a time: key, Compose file, secrets, deployment to the local teepod until it runs, and an answer of the built-in model with the agent's key. Containers are simulated: the download and the start of the agent's image come on top.`,
        rows: [
          {
            what: 'name to an answer of its model',
            figures: `p50 ${ms(quantile(all, 0.5))} max ${ms(quantile(all, 1))}`,
            aim: '< 60 s with the image',
          },
        ],
      };
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

/** @returns milliseconds */
async function launch(url: string, session: string, name: string): Promise<number> {
  const call = async <T>(path: string, body?: object): Promise<T> => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { cookie: session, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path} returned ${reply.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const began = performance.now();
  const { variables, models } = ownModels(await call<AiGateway>('/ai/gateway'), MODEL);
  const { secret } = await call<CreatedAiKey>('/ai/keys', { name, models });
  const { app_id, compose_hash, app_env_encrypt_pubkey } = await call<Provision>('/cvms/provision', {
    name: name.toLowerCase().replaceAll(' ', '-'),
    compose_file: {
      docker_compose_file: agentCompose({
        service: 'agent',
        image: 'ghcr.io/elizaos/eliza:stable',
        json: writeCharacter(newCharacter(name)),
        variables,
        secrets: [KEY],
      }),
      allowed_envs: [KEY],
    },
  });
  const { vm_uuid } = await call<{ vm_uuid: string }>('/cvms', {
    app_id,
    compose_hash,
    encrypted_env: sealEnv([{ key: KEY, value: secret }], app_env_encrypt_pubkey ?? ''),
  });
  for (let status = ''; status !== 'running'; await wait(50)) {
    ({ status } = await call<CvmDetail>(`/cvms/${vm_uuid}`));
    if (performance.now() - began > 120_000)
      throw new Error(`the agent is still ${status} after two minutes`);
  }
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`the model returned ${reply.status}`);
  return performance.now() - began;
}
