import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { Agent, interceptors, request, type Dispatcher } from 'undici';
import { NEWEST_VERSION, VERSION_HEADER } from '../../console/lib/apiVersion';
import type { OperationId, OperationTypes } from '../../generated/api/operations.gen';
import { operations } from '../../generated/api/operations.gen';
import { loadConfig } from '../config';
import { createLogger } from '../log';
import { startServer, type RunningServer } from '../main';
import { createTestDatabase, type TestDatabase } from './database';
import { OPEN_TO_ALL } from './openServer';

export interface TestServer extends RunningServer {
  database: TestDatabase;
  dataDir: string;
  /** A client without session or token. */
  anonymous: TestClient;
  /** Registers a user with a confirmed address and returns a client with their session. The first is platform admin. */
  register(email?: string): Promise<TestClient>;
  stop(): Promise<void>;
}

export interface Answer<B = unknown> {
  status: number;
  headers: Headers;
  body: B;
}

type Body<K extends OperationId> = OperationTypes[K]['replies'][keyof OperationTypes[K]['replies']];

export interface TestClient {
  readonly email: string | null;
  readonly slug: string | null;
  readonly cookie: string | null;
  /** Calls an operation by its ID over the wire, as a client of the newest version would. PDF bodies are Buffers. */
  call<K extends OperationId>(
    id: K,
    request?: {
      path?: Record<string, string | number>;
      query?: Record<string, unknown>;
      body?: unknown;
      headers?: Record<string, string>;
    },
  ): Promise<Answer<Body<K>>>;
  with(headers: Record<string, string>): TestClient;
}

/**
 * The real server on a free port with its own database; with `teepod`, also the built-in one.
 * @param write receives each line of its log, from LOG_LEVEL on
 */
export async function startTestServer({
  teepod = false,
  env = {},
  write,
}: {
  teepod?: boolean | 'docker';
  env?: Record<string, string>;
  write?: (line: string) => void;
} = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'teehouse-test-'));
  const config = loadConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'fatal',
    LOCAL_TEEPOD: teepod ? 'on' : 'off',
    LOCAL_TEEPOD_ENGINE: teepod === 'docker' ? 'docker' : 'simulate',
    RECONCILE_SECONDS: '1',
    WRITES_PER_MINUTE: '1000000',
    SIGN_IN_ATTEMPTS: '100000',
    // Many users and teams share the server, even with a PUBLIC_URL.
    ...OPEN_TO_ALL,
    ...env,
  });
  const running = await startServer(config, createLogger(config.logLevel, write && { write }));
  if (teepod) {
    await eventually('the local teepod is registered with its images', async () => {
      const image = await running.services.db
        .selectFrom('teepod_os_images')
        .select('teepod_id')
        .executeTakeFirst();
      return image !== undefined;
    });
  }
  let count = 0;
  return {
    ...running,
    database,
    dataDir,
    anonymous: client(running.address, {}, null, null),
    async register(email = `person${++count}-${Math.random().toString(36).slice(2, 8)}@example.test`) {
      const stranger = client(running.address, {}, null, null);
      const body = { email, password: PASSWORD };
      let answer: Answer = await stranger.call('registerUser', { body });
      if (answer.status === 201 && sessionCookieOf(answer) === null) {
        // Confirms the address without reading the mail.
        await sql`update users set email_verified_at = now() where lower(email) = lower(${email})`.execute(
          running.services.db,
        );
        answer = await stranger.call('createSession', { body });
      }
      const cookie = sessionCookieOf(answer);
      if (cookie === null)
        throw new Error(`registering ${email} ended with ${answer.status}: ${JSON.stringify(answer.body)}`);
      const session = await client(running.address, { cookie }, email, null).call('getSession');
      const slug = session.body.teams[0]?.slug ?? null;
      return client(running.address, { cookie, ...(slug ? { 'x-workspace': slug } : {}) }, email, slug);
    },
    async stop() {
      await running.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export const PASSWORD = 'violet kettle under the stairs';

/** Returns the session a response set as `name=value` for a Cookie header; null if it set none. */
export function sessionCookieOf({ headers }: Pick<Answer, 'headers'>): string | null {
  const set = headers.getSetCookie().find((one) => /^(?:__Host-)?teehouse_session=[^;]/.test(one));
  return set?.split(';')[0] ?? null;
}

function client(
  base: string,
  headers: Record<string, string>,
  email: string | null,
  slug: string | null,
): TestClient {
  return {
    email,
    slug,
    cookie: headers.cookie ?? null,
    with: (more) => client(base, { ...headers, ...more }, email, slug),
    async call(id, { path = {}, query = {}, body, headers: own = {} } = {}) {
      const spec = operations[id];
      const url = new URL(
        `${base}/api/v1${spec.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name] ?? '')))}`,
      );
      for (const [name, value] of Object.entries(query))
        for (const one of [value].flat()) if (one !== undefined) url.searchParams.append(name, String(one));
      const text = spec.bodyTypes.some((type) => type.startsWith('text/'));
      const type = text ? (spec.bodyTypes[0] ?? 'text/plain') : 'application/json';
      const payload =
        body === undefined
          ? undefined
          : text || typeof body === 'string'
            ? String(body)
            : JSON.stringify(body);
      const reply = await send(url, {
        method: spec.method.toUpperCase() as Dispatcher.HttpMethod,
        headers: {
          [VERSION_HEADER.toLowerCase()]: NEWEST_VERSION,
          ...headers,
          ...(body === undefined ? {} : { 'content-type': type }),
          ...own,
        },
        ...(payload === undefined ? {} : { body: payload }),
      });
      const { bytes } = reply;
      const received = reply.headers.get('content-type') ?? '';
      const raw = /^application\/(pdf|vnd\.)/.test(received) ? bytes : bytes.toString();
      const json = received.includes('json');
      return {
        status: reply.status,
        headers: reply.headers,
        body: (json && raw.length > 0 ? JSON.parse(String(raw)) : raw) as never,
      };
    },
  };
}

const following = new Agent().compose(interceptors.redirect({ maxRedirections: 20 }));

/** Like fetch, with a third of its processor time, which dominates a request here. */
async function send(
  url: URL,
  init: { method: Dispatcher.HttpMethod; headers: Record<string, string>; body?: string },
): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const reply = await request(url, {
    ...init,
    headers: { accept: '*/*', 'user-agent': 'node', ...init.headers },
    dispatcher: following,
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(reply.headers))
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  return { status: reply.statusCode, headers, bytes: Buffer.from(await reply.body.arrayBuffer()) };
}

/** Polls until `look` is true; fails after `seconds`, naming what it waited for. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | false | undefined | null>,
  seconds = 100,
): Promise<T> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > until) throw new Error(`not within ${seconds} s: ${what}`);
    await wait(100);
  }
}
