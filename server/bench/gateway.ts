import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AdminAiUpstream, CreatedAiKey } from '../../generated/api/types.gen';
import { freePort } from '../tools/postgres';
import { ROOT } from '../tools/run';
import { load } from './api';
import { rssMb } from './logHost';
import { ms, quantile, type Options, type Part, type Row } from './report';
import { register } from './seed';
import {
  cpuMs,
  descendantsCpuMs,
  removeDir,
  startServerProcess,
  startSource,
  stopChild,
  temporaryDir,
  until,
  type Started,
} from './serverProcess';

const STREAMS = 500;
const CONNECTIONS = 32;
const MODEL = 'bench/model';
const HEADERS = { 'content-type': 'application/json' };

/** The AI gateway: latency added to the first byte, request throughput, and many concurrent streams. */
export async function gateway(options: Options): Promise<Part> {
  const dataDir = await temporaryDir();
  const model = startSource('gatewayModel.ts');
  const express = startSource('gatewayBaseline.ts');
  try {
    const [modelPort, expressPort] = [await freePort(), await freePort()];
    const upstream = `http://127.0.0.1:${modelPort}/v1`;
    model.send({ port: modelPort });
    express.send({ port: expressPort, upstream });
    await until(`${upstream}/models`, model);
    await until(`http://127.0.0.1:${expressPort}/readyz`, express);
    const server = await startServerProcess(
      dataDir,
      { LOCAL_TEEPOD: 'off', OUTBOUND_ALLOW: '127.0.0.1' },
      options.profile ? ['--cpu-prof', `--cpu-prof-dir=${path.join(ROOT, '.cache/bench')}`] : [],
    );
    try {
      const key = await setUp(server, upstream);
      const own = { url: `${server.url}/v1`, headers: { ...HEADERS, authorization: `Bearer ${key}` } };
      const bare = { url: `http://127.0.0.1:${expressPort}/v1`, headers: HEADERS };
      const direct = { url: upstream, headers: HEADERS };
      return {
        title: 'AI gateway',
        how: `The gateway of this server in front of a model server of another process that answers immediately. Added: first byte of a stream less that of the same request to the model server, in turns. Rate: ${CONNECTIONS} connections; the baseline is Express that only passes on, in the same run. Streams: ${STREAMS} concurrent ones, a token every 200 ms.`,
        rows: [
          await firstBytes(own, direct, options),
          ...(await rates(own, bare, options, {
            gateway: () => cpuMs(server.pid),
            database: () => descendantsCpuMs(server.pid),
            express: () => cpuMs(express.pid ?? 0),
            model: () => cpuMs(model.pid ?? 0),
          })),
          await streams(server, own, options),
        ],
      };
    } finally {
      await server.stop();
    }
  } finally {
    await Promise.all([stopChild(model), stopChild(express)]);
    await removeDir(dataDir);
  }
}

/** @returns the secret of a key without limits */
async function setUp({ url }: Started, upstream: string): Promise<string> {
  const { session, slug } = await register(url);
  const post = async <T>(address: string, body: object): Promise<T> => {
    const reply = await fetch(`${url}/api/v1${address}`, {
      method: 'POST',
      headers: { ...HEADERS, cookie: session, origin: url, 'x-workspace': slug },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${address}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as T;
  };
  const { id } = await post<AdminAiUpstream>('/admin/ai-upstreams', { name: 'bench', url: upstream });
  await post('/admin/ai-models', {
    model: MODEL,
    name: 'Bench',
    context_length: 10_000,
    input_price: '1',
    output_price: '1',
    upstreams: [{ upstream_id: id, model: 'bench' }],
  });
  return (await post<CreatedAiKey>('/ai/keys', { name: 'Bench' })).secret;
}

interface Target {
  url: string;
  headers: Record<string, string>;
}

const bodyOf = (more: object) =>
  JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'Hi' }], ...more });

/** @returns milliseconds until the first byte of a stream */
async function firstByte({ url, headers }: Target): Promise<number> {
  const began = performance.now();
  const body = bodyOf({ stream: true, max_tokens: 1 });
  const reply = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body });
  if (!reply.ok || !reply.body) throw new Error(`${url}: ${reply.status} ${await reply.text()}`);
  let first = 0;
  for await (const _part of reply.body) first ||= performance.now() - began;
  return first;
}

async function firstBytes(own: Target, direct: Target, { quick, say }: Options): Promise<Row> {
  const count = quick ? 100 : 1000;
  for (let n = 0; n < 20; n++) await firstByte(own);
  const [gateways, models]: [number[], number[]] = [[], []];
  for (let n = 0; n < count; n++) {
    gateways.push(await firstByte(own));
    models.push(await firstByte(direct));
  }
  say('first bytes');
  const added = (p: number) => quantile(gateways, p) - quantile(models, p);
  return {
    what: 'added to the first byte',
    figures: `p50 ${ms(added(0.5))}, p99 ${ms(added(0.99))} (direct p50 ${ms(quantile(models, 0.5))})`,
    aim: 'p50 ≤ 3 ms, p99 ≤ 15 ms',
  };
}

const sent = ({ url, headers }: Target, seconds: number) =>
  load({
    url: new URL(url).origin,
    paths: ['/v1/chat/completions'],
    headers,
    connections: CONNECTIONS,
    seconds,
    body: bodyOf({}),
  });

/** Processor time used so far by each process, in ms. */
type Clocks = Record<string, () => number>;

async function rates(
  own: Target,
  bare: Target,
  { quick, say }: Options,
  clocks: Clocks,
): Promise<readonly Row[]> {
  const seconds = quick ? 2 : 10;
  const measured = async (target: Target) => {
    const before = Object.values(clocks).map((read) => read());
    const result = await sent(target, seconds);
    const used = Object.entries(clocks).map(
      ([name, read], n) => [name, (read() - (before[n] ?? 0)) / Math.max(1, result.requests)] as const,
    );
    return { ...result, used: used.filter(([, each]) => each >= 0.01) };
  };
  await sent(own, 2);
  const [passed, gateways] = [await measured(bare), await measured(own)];
  say('rates');
  const shares = ({ used }: typeof passed) =>
    used.map(([name, each]) => `${name} ${each.toFixed(2)} ms`).join(', ');
  return [
    {
      what: 'requests a second',
      figures: `${gateways.perSecond.toFixed(0)}, 1/${(passed.perSecond / gateways.perSecond).toFixed(1)} of bare Express; ${gateways.failed} failed`,
      aim: '≥ 1/1.5 of bare Express',
    },
    { what: 'processor time per request', figures: shares(gateways) },
    { what: 'processor time per request, bare Express', figures: shares(passed) },
  ];
}

async function streams(server: Started, own: Target, { quick, say }: Options): Promise<Row> {
  const seconds = quick ? 4 : 30;
  const body = bodyOf({ stream: true, max_tokens: seconds * 5 });
  let failed = 0;
  const read = async () => {
    const reply = await fetch(`${own.url}/chat/completions`, { method: 'POST', headers: own.headers, body });
    if (reply.ok && (await reply.text()).trimEnd().endsWith('[DONE]')) return;
    failed++;
  };
  const before = rssMb(server.pid);
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(rssMb(server.pid)), 250);
  await Promise.all(
    Array.from({ length: STREAMS }, async (_, n) => {
      await wait(n * 4);
      return read();
    }),
  );
  clearInterval(timer);
  say('streams');
  const half = samples.slice(0, Math.ceil(samples.length / 2));
  const most = (values: readonly number[]) => Math.max(before, ...values);
  return {
    what: `memory of ${STREAMS} streams`,
    figures: `${(most(samples) - before).toFixed(0)} MB more, ${(most(samples) - most(half)).toFixed(0)} of it in the second half; ${failed} failed`,
    aim: 'flat, 0 failed',
  };
}
