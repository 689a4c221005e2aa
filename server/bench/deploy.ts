import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { createDb, type Db } from '../db/core/client';
import { ms, quantile, type Options, type Part } from './report';
import { register } from './seed';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

const COMPOSE = 'services:\n  web:\n    image: nginx:alpine\n';

/** Time from the request that creates a CVM to its CreateVm at the host, one deployment at a time. */
export async function deploy(options: Options): Promise<Part> {
  const count = options.quick ? 5 : 100;
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, {
      LOCAL_TEEPOD_ENGINE: 'simulate',
      LOCAL_TEEPOD_MAX_CVMS: '1000',
      LOCAL_TEEPOD_VCPU: '10000',
      LOCAL_TEEPOD_MEMORY_MB: '10000000',
      LOCAL_TEEPOD_DISK_GB: '100000',
    });
    try {
      const database = await server.database();
      const db = createDb(database.pool);
      const listener = await listenBefore(db);
      try {
        const { session } = await register(server.url);
        const latencies: number[] = [];
        const replies: number[] = [];
        for (let i = 0; i < count; i++) {
          const one = await deployOne(server.url, session, `bench-${i}`, listener);
          latencies.push(one.toHost);
          replies.push(one.toReply);
        }
        options.say(`${count} deployments`);
        const both = (values: number[]) =>
          `p50 ${ms(quantile(values, 0.5))} p99 ${ms(quantile(values, 0.99))}`;
        return {
          title: 'Deploy',
          how: `${count} sequential deployments to the local teepod (containers simulated), observed by a proxy in front of it; supervised PostgreSQL.`,
          rows: [
            { what: 'POST /cvms to the first RPC', figures: both(latencies), aim: 'p50 < 150 ms' },
            { what: 'POST /cvms to its reply', figures: both(replies) },
          ],
        };
      } finally {
        await listener.close();
        await database.stop();
      }
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

interface Listener {
  /** Resolves with `performance.now()` at the next CreateVm. */
  nextCreate(): Promise<number>;
  close(): Promise<void>;
}

/** Puts a proxy between server and local teepod that records when CreateVm arrives. */
async function listenBefore(db: Db): Promise<Listener> {
  const socketPath = await localSocket(db);
  let created: ((at: number) => void) | undefined;
  const proxy = createServer((req, res) => {
    if (/\.CreateVm\b|\/CreateVm\b/.test(req.url ?? '')) created?.(performance.now());
    const onward = request(
      { socketPath, method: req.method, path: req.url, headers: req.headers },
      (reply) => {
        res.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(res);
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  await sql`update teepods set url = ${`http://127.0.0.1:${port}`} where name = 'local-teepod'`.execute(db);
  return {
    nextCreate: () => new Promise((resolve) => (created = resolve)),
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** Returns the local teepod's rows once it is registered with its images. */
export async function localSocket(db: Db): Promise<string> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await wait(50)) {
    const { rows } = await sql<{ url: string }>`
      select url from teepods where name = 'local-teepod' and exists (
        select 1 from teepod_os_images where teepod_os_images.teepod_id = teepods.id)`.execute(db);
    if (rows[0]) return rows[0].url.replace(/^unix:/, '');
  }
  throw new Error('the local teepod did not register within a minute');
}

async function deployOne(url: string, session: string, name: string, listener: Listener) {
  const post = async (path: string, body: unknown) => {
    const reply = await fetch(`${url}/api/v1${path}`, {
      method: 'POST',
      headers: { cookie: session, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`POST ${path} returned ${reply.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { app_id, compose_hash } = await post('/cvms/provision', {
    name,
    compose_file: { docker_compose_file: COMPOSE },
  });
  const arrives = listener.nextCreate();
  const began = performance.now();
  await post('/cvms', { app_id, compose_hash });
  const toReply = performance.now() - began;
  const late = wait(60_000, undefined, { ref: false }).then(() => {
    throw new Error('CreateVm did not reach the host within a minute');
  });
  return { toReply, toHost: (await Promise.race([arrives, late])) - began };
}
