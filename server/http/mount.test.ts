import express from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeal } from '../domain/core/seal';
import type { Handlers, Services } from '../operations/types';
import { mount } from './mount';
import { coerceAll } from './perform';

/** Mounts misbehaving handlers without a database: only documented fields may get out. */
let http: Server;
let base: string;

const lines: string[] = [];
const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });

const type = {
  id: 'tdx.small',
  name: 'Small',
  description: '',
  vcpu: 1,
  memory_mb: 2048,
  hourly_rate: '0.058',
  requires_gpu: false,
  gpu_count: 0,
  default_disk_size_gb: 20,
  family: 'cpu',
};
let reply: { status: number; body: unknown };

beforeAll(async () => {
  const app = express();
  app.use((_req, res, next) => {
    res.locals.request_id = 'req_test0001';
    next();
  });
  const handlers = new Proxy({}, { get: () => async () => reply }) as unknown as Handlers;
  const services = {
    config: { publicUrl: 'http://localhost' },
    log,
    seal: createSeal(Buffer.alloc(32)),
  } as unknown as Services;
  mount(app, handlers, { services, limits: { consume: async () => undefined } });
  http = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  base = `http://127.0.0.1:${(http.address() as AddressInfo).port}/api/v1`;
});

afterAll(() => void http.close());

describe('a reply', () => {
  it("drops every field that the document doesn't declare", async () => {
    reply = {
      status: 200,
      body: { items: [{ ...type, password_hash: 'leak' }], total: 1, family: 'cpu', internal: 'leak' },
    };
    const answer = await fetch(`${base}/instance-types/cpu`);
    expect(answer.status).toBe(200);
    const text = await answer.text();
    expect(text).not.toContain('leak');
    expect(JSON.parse(text)).toEqual({
      items: [expect.objectContaining({ id: 'tdx.small' })],
      total: 1,
      family: 'cpu',
    });
  });

  it('with an undeclared status becomes a 500 that names the operation only in the log', async () => {
    reply = { status: 207, body: { secret: 'leak' } };
    const answer = await fetch(`${base}/instance-types/cpu`);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('leak');
    expect(lines.join('')).toContain('getInstanceTypeFamily returned 207');
  });

  it('that violates its schema becomes a 500 that names the operation only in the log', async () => {
    reply = { status: 200, body: { items: 'leak', total: 1, family: 'cpu' } };
    const answer = await fetch(`${base}/instance-types/cpu`);
    expect(answer.status).toBe(500);
    const body = (await answer.json()) as { code: string; request_id: string };
    expect(JSON.stringify(body)).not.toContain('leak');
    expect(body).toMatchObject({ code: 'ERR-00-009', request_id: 'req_test0001' });
    expect(lines.join('')).toContain('getInstanceTypeFamily 200 breaks its schema');
  });
});

describe('coercion of path and query values', () => {
  it('creates numbers, booleans and lists, and leaves invalid text to the schema', () => {
    const types = { page: 'number', follow: 'boolean', status: 'array', q: 'string' } as const;
    expect(coerceAll({ page: '2', follow: '', status: 'running', q: '7', other: 'x' }, types)).toEqual({
      page: 2,
      follow: true,
      status: ['running'],
      q: '7',
    });
    expect(coerceAll({ page: 'two', follow: 'maybe' }, types)).toEqual({ page: 'two', follow: 'maybe' });
  });
});
