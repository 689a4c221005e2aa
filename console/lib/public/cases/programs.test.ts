import { spawn, type ChildProcess } from 'node:child_process';
import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { USE_CASES } from '../useCases';
import { AGENT_SOCKET } from './nodeService';

/** Runs the use cases' programs as deployed: extracted from the Compose file, in Node.js. */

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');

let folder: string;
let agent: Server;
const children: ChildProcess[] = [];
const servers: Server[] = [];

/** A guest agent without TEE secrets that responds like a real one. */
const answerAsAgent: RequestListener = (req, res) => {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://dstack');
  const query = Object.fromEntries(searchParams);
  const replies = new Map<string, object>([
    ['/GetKey', { key: sha256(`${query.path} ${query.purpose}`), signature_chain: ['aa', 'bb'] }],
    ['/GetQuote', { quote: '0400', event_log: '[]', report_data: query.report_data?.padEnd(128, '0') }],
    ['/Info', { app_id: 'a1', compose_hash: 'c0', os_image_hash: '05', app_cert: 'PEM' }],
  ]);
  res.end(JSON.stringify(replies.get(pathname)));
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'teehouse-cases-'));
  agent = createServer(answerAsAgent).listen(path.join(folder, 'agent.sock'));
  await once(agent, 'listening');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  agent.close();
  await rm(folder, { recursive: true, force: true });
});

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns an address without a listener, until a program starts there. */
async function freeAddress(): Promise<{ origin: string; port: string }> {
  const origin = await listen(() => undefined);
  const server = servers.pop();
  server?.close();
  await once(server as Server, 'close');
  return { origin, port: new URL(origin).port };
}

interface Service {
  environment?: Record<string, string>;
  command: string[];
}

const TOKEN = 'token-of-the-client';

/** Starts a use case's first service. @returns its address, and its log output so far */
async function start(slug: string, env: Record<string, string> = {}) {
  const compose = USE_CASES.find((one) => one.slug === slug)?.compose ?? '';
  const { services } = parse(compose) as { services: Record<string, Service> };
  const [service] = Object.values(services);
  const [, type = '', flag = '', program = ''] = service?.command ?? [];
  const code = program
    .replaceAll('$$', () => '$')
    .replaceAll(JSON.stringify(AGENT_SOCKET), JSON.stringify(path.join(folder, 'agent.sock')));
  const { origin, port } = await freeAddress();
  const child = spawn(process.execPath, [type, flag, code], {
    env: { PATH: process.env.PATH, ...service?.environment, CLIENT_TOKEN: TOKEN, PORT: port, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      log += text.toString();
      if (log.includes('ready\n')) resolve();
    });
    child.once('exit', () => reject(new Error(`${slug} ended: ${log}`)));
  });
  return { origin, logged: () => log };
}

const AUTHORIZATION = { Authorization: `Bearer ${TOKEN}` };
const post = (url: string, body: unknown, headers: Record<string, string> = AUTHORIZATION) =>
  fetch(url, { method: 'POST', headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const jsonOf = async <T>(url: string, init?: RequestInit) => (await (await fetch(url, init)).json()) as T;

const CHALLENGE = 'c0ffee';
const reportData = async (origin: string) =>
  (
    await jsonOf<{ report_data: string }>(`${origin}/.well-known/attestation?challenge=${CHALLENGE}`)
  ).report_data.replace(/0+$/, '');

/** Verifies like a contract: r and s over the message's SHA-256. */
function isSigned(message: string, signature: string, public_key: string): boolean {
  const point = Buffer.from(public_key, 'hex');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'secp256k1', x, y } });
  const given = Buffer.from(signature, 'hex');
  return verify('sha256', Buffer.from(message), { key, dsaEncoding: 'ieee-p1363' }, given);
}

describe('private-api-keys', () => {
  it('adds the key to allowed calls and rejects all others', async () => {
    const seen: string[] = [];
    const UPSTREAM = await listen((req, res) => {
      seen.push(`${req.method} ${req.url} ${req.headers.authorization}`);
      res.writeHead(402, { 'Content-Type': 'application/problem+json' }).end('{"paid":false}');
    });
    const { origin, logged } = await start('private-api-keys', { API_KEY: 'sk-secret', UPSTREAM });
    expect((await fetch(`${origin}/v1/charges`)).status).toBe(401);
    expect((await post(`${origin}/v1/payouts`, {})).status).toBe(403);
    expect((await post(`${origin}/v1/charges`, {})).status).toBe(403);
    const reply = await fetch(`${origin}/v1/charges?limit=3`, { headers: AUTHORIZATION });
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      402,
      'application/problem+json',
      '{"paid":false}',
    ]);
    expect(seen).toEqual(['GET /v1/charges?limit=3 Bearer sk-secret']);
    expect(logged()).not.toContain('secret');
  });

  it('doesn’t follow redirects of the API, and reports when it is down', async () => {
    const UPSTREAM = await listen((_req, res) => void res.writeHead(302, { Location: '/other' }).end());
    const redirected = await start('private-api-keys', { API_KEY: 'k', UPSTREAM });
    expect((await fetch(`${redirected.origin}/v1/balance`, { headers: AUTHORIZATION })).status).toBe(502);
    const { origin: nobody } = await freeAddress();
    const alone = await start('private-api-keys', { API_KEY: 'k', UPSTREAM: nobody });
    expect((await fetch(`${alone.origin}/v1/balance`, { headers: AUTHORIZATION })).status).toBe(502);
  });
});

describe('confidential-inference', () => {
  it('streams the model’s replies to clients with the token, and logs no prompts', async () => {
    let prompt = '';
    const MODEL_URL = await listen((req, res) => {
      req.on('data', (part: Buffer) => (prompt += part.toString()));
      req.on('end', () => {
        res.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: one\n\n');
        res.end('data: [DONE]\n\n');
      });
    });
    const { origin, logged } = await start('confidential-inference', { MODEL_URL });
    const url = `${origin}/v1/chat/completions`;
    expect((await post(url, {}, {})).status).toBe(401);
    expect((await post(`${origin}/props`, {})).status).toBe(404);
    const reply = await post(url, { messages: [{ role: 'user', content: 'the diagnosis' }] });
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(await reply.text()).toBe('data: one\n\ndata: [DONE]\n\n');
    expect(prompt).toContain('the diagnosis');
    expect(logged()).toContain('POST /v1/chat/completions 200');
    expect(logged()).not.toContain('diagnosis');
  });

  it('reports that the model is loading until it answers', async () => {
    const { origin: MODEL_URL } = await freeAddress();
    const { origin } = await start('confidential-inference', { MODEL_URL });
    expect((await fetch(`${origin}/v1/models`, { headers: AUTHORIZATION })).status).toBe(503);
  });
});

describe('key-management', () => {
  const PAYMENT = { to: 'supplier-42', amount: 1200, reference: 'INV-7' };

  it('signs payments within its rules with a key that its quote covers', async () => {
    const { origin } = await start('key-management');
    const reply = await post(`${origin}/sign`, PAYMENT);
    const { message, signature } = (await reply.json()) as { message: string; signature: string };
    const { public_key } = await jsonOf<{ public_key: string }>(`${origin}/key`);
    expect(JSON.parse(message)).toMatchObject(PAYMENT);
    expect(isSigned(message, signature, public_key)).toBe(true);
    expect(isSigned(message.replace('1200', '9200'), signature, public_key)).toBe(false);
    expect(await reportData(origin)).toBe(sha256(Buffer.from(public_key, 'hex')) + CHALLENGE);
  });

  it('rejects everything else, and keeps running', async () => {
    const { origin } = await start('key-management');
    const statusOf = async (body: unknown, headers?: Record<string, string>) =>
      (await post(`${origin}/sign`, body, headers)).status;
    expect(await statusOf(PAYMENT, {})).toBe(401);
    expect(await statusOf({ ...PAYMENT, to: 'mallory' })).toBe(403);
    expect(await statusOf({ ...PAYMENT, to: ['supplier-42'] })).toBe(403);
    for (const amount of [5001, 0, -1, 1.5, '1200', null])
      expect([amount, await statusOf({ ...PAYMENT, amount })]).toEqual([amount, 403]);
    for (const body of ['', 'null', '{"to":', '[]', { ...PAYMENT, reference: 7 }, 'x'.repeat(2_000_000)])
      expect([typeof body, await statusOf(body).catch(() => 400)]).toEqual([typeof body, 400]);
    for (const challenge of ['', 'x', '0', 'aa'.repeat(33), 'aa&report_data=bb%20'])
      expect((await fetch(`${origin}/.well-known/attestation?challenge=${challenge}`)).status).toBe(
        challenge.startsWith('aa&') ? 200 : 400,
      );
    expect((await fetch(`${origin}//`)).status).toBeGreaterThanOrEqual(400);
    expect(await statusOf(PAYMENT)).toBe(200);
  });
});

describe('multi-party-data', () => {
  const raw = (key: KeyObject) => key.export({ format: 'jwk' }).x ?? '';
  const [a, b] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  const PARTIES = { PARTY_A_KEY: raw(a.publicKey), PARTY_B_KEY: raw(b.publicKey) };
  const records = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `account-${from + i}`);

  interface Statement {
    key: string;
    parties: Record<string, string>;
    result: object | null;
  }
  const statementOf = async (origin: string) => {
    const { statement } = await jsonOf<{ statement: string }>(`${origin}/`);
    return { statement, ...(JSON.parse(statement) as Statement) };
  };

  /** Encrypts and signs input like a party's own program. */
  function sealed(party: 'a' | 'b', key: string, signer: KeyObject, input: unknown) {
    const ephemeral = generateKeyPairSync('x25519');
    const enclave = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: key } });
    const secret = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: enclave });
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', secret, '', key, 32)), nonce);
    const data = Buffer.concat([
      cipher.update(JSON.stringify(input)),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64url');
    const [sender, iv] = [raw(ephemeral.publicKey), nonce.toString('base64url')];
    const signed = Buffer.from(JSON.stringify([key, party, sender, iv, data]));
    return { sender, iv, data, signature: sign(null, signed, signer).toString('base64url') };
  }

  it('releases only the number of common records, bound to both inputs', async () => {
    const { origin, logged } = await start('multi-party-data', PARTIES);
    const { key, parties } = await statementOf(origin);
    expect(parties).toEqual({ a: PARTIES.PARTY_A_KEY, b: PARTIES.PARTY_B_KEY });
    const first = sealed('a', key, a.privateKey, records(0, 150));
    const second = sealed(
      'b',
      key,
      b.privateKey,
      records(133, 120).map((one) => ` ${one.toUpperCase()}`),
    );
    expect((await post(`${origin}/inputs/a`, first)).status).toBe(200);
    expect((await statementOf(origin)).result).toBeNull();
    expect((await post(`${origin}/inputs/b`, second)).status).toBe(200);
    const { result, statement } = await statementOf(origin);
    expect(result).toEqual({
      common: 17,
      sizes: { a: 150, b: 120 },
      inputs: { a: sha256(first.data), b: sha256(second.data) },
    });
    expect(await reportData(origin)).toBe(sha256(statement) + CHALLENGE);
    expect(logged()).toBe('ready\n');
  });

  it('rejects other signers, small lists, unreadable inputs and second ones', async () => {
    const { origin } = await start('multi-party-data', PARTIES);
    const { key } = await statementOf(origin);
    const statusOf = async (party: string, body: unknown) =>
      (await post(`${origin}/inputs/${party}`, body)).status;
    expect(await statusOf('a', sealed('a', key, b.privateKey, records(0, 100)))).toBe(403);
    expect(await statusOf('b', sealed('a', key, a.privateKey, records(0, 100)))).toBe(403);
    expect(await statusOf('a', sealed('a', key, a.privateKey, records(0, 99)))).toBe(400);
    expect(await statusOf('a', sealed('a', key, a.privateKey, Array(200).fill('same')))).toBe(400);
    expect(await statusOf('a', sealed('a', key, a.privateKey, 'no list'))).toBe(400);
    const other = raw(generateKeyPairSync('x25519').publicKey);
    expect(await statusOf('a', sealed('a', other, a.privateKey, records(0, 100)))).toBe(403);
    expect(await statusOf('a', {})).toBe(400);
    expect(await statusOf('c', {})).toBe(404);
    expect(await statusOf('a', sealed('a', key, a.privateKey, records(0, 100)))).toBe(200);
    expect(await statusOf('a', sealed('a', key, a.privateKey, records(0, 100)))).toBe(409);
  });
});

describe('provable-backend', () => {
  it('counts views, stores nothing about visitors and answers challenges', async () => {
    const { origin } = await start('provable-backend');
    for (const page of ['/pricing', '/pricing', '/'])
      expect((await post(`${origin}/view`, { page })).status).toBe(204);
    for (const page of ['https://x.test', '/?q=name', 7, `/${'x'.repeat(200)}`])
      expect((await post(`${origin}/view`, { page })).status).toBe(400);
    expect(await jsonOf(`${origin}/stats`)).toEqual({ '/pricing': 2, '/': 1 });
    expect(await jsonOf(`${origin}/.well-known/app`)).toEqual({
      app_id: 'a1',
      compose_hash: 'c0',
      os_image_hash: '05',
    });
    expect(await reportData(origin)).toBe(CHALLENGE);
  });
});

describe('oracle', () => {
  /** Sources with these values; null answers with an error. */
  const sourcesOf = async (...values: (number | string | null)[]) => {
    const origin = await listen((req, res) => {
      const value = values[Number(req.url?.slice(1))];
      res.writeHead(value === null ? 500 : 200).end(JSON.stringify({ data: { amount: value } }));
    });
    return values.map((_, i) => `${origin}/${i} data.amount`).join('\n');
  };
  interface Signed {
    message: string;
    signature: string;
    public_key: string;
  }

  it.each([
    ['the middle of three', ['3000.5', 9_000_000, '3001'], 3001, 3],
    ['the mean of two, if one source fails', [3000, null, 3002], 3001, 2],
    ['the mean of two, if one source says nothing usable', ['n/a', 3000, 3002], 3001, 2],
  ] as const)('signs %s', async (_what, values, value, sources) => {
    const { origin } = await start('oracle', { SOURCES: await sourcesOf(...values) });
    const { message, signature, public_key } = await jsonOf<Signed>(`${origin}/`);
    expect(JSON.parse(message)).toMatchObject({ pair: 'ETH-USD', value, sources });
    expect(isSigned(message, signature, public_key)).toBe(true);
    expect(await reportData(origin)).toBe(sha256(Buffer.from(public_key, 'hex')) + CHALLENGE);
  });

  it('signs nothing if only one of three sources answers', async () => {
    const { origin } = await start('oracle', { SOURCES: await sourcesOf(3000, null, -1) });
    expect((await fetch(`${origin}/`)).status).toBe(503);
  });
});
