import express from 'express';
import { once } from 'node:events';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { zProblem } from '../../generated/api/zod.gen';
import { busyProblem } from '../domain/cvms/operationConflict';
import { Problem } from '../domain/core/problem';
import { requestTexts } from './body/validationText';
import { problemBody, sendProblem, validationProblem } from './errors';

describe('the body of an error', () => {
  const body = (problem: Problem) => {
    const sent = problemBody(problem, 'req_1');
    expect(zProblem.parse(sent)).toEqual(sent);
    return sent;
  };

  it('carries the error at the top level and under detail', () => {
    const link = { label: 'Docs', url: 'https://example.test/' };
    const error = {
      error_code: 'ERR-00-024',
      message: 'Taken',
      details: [{ field: 'slug', value: 'acme' }],
      suggestions: ['Choose another.'],
      links: [link],
    };
    const { error_code: _, ...info } = error;
    expect(body(new Problem('SLUG_TAKEN', info))).toEqual({
      ...error,
      detail: error,
      code: 'ERR-00-024',
      type: '/docs/errors#ERR-00-024',
      request_id: 'req_1',
    });
  });

  it('keeps the four forms of detail', () => {
    expect(body(new Problem('FORBIDDEN', { message: 'No.' }))).toMatchObject({
      detail: 'No.',
      message: 'No.',
      error_code: 'ERR-00-003',
    });
    const device = { error: 'authorization_pending' } as const;
    expect(body(new Problem('DEVICE_AUTHORIZATION', { device }))).toMatchObject({
      detail: device,
      error_code: 'ERR-00-027',
    });
  });

  it('names the invalid fields of a 422 in details', () => {
    const schema = z.strictObject({ env: z.array(z.string()) });
    const { error } = schema.safeParse({ env: ['a', 1] }, requestTexts);
    expect(body(validationProblem('body', error!))).toMatchObject({
      message: expect.stringContaining('Expected a string'),
      error_code: 'ERR-00-005',
      detail: [{ loc: ['body', 'env', 1] }],
      details: [{ field: 'env.1', message: expect.stringContaining('Expected a string') }],
      // Without the generic advice to correct the named fields.
      suggestions: [],
    });
  });

  it('explains what to send instead of an invalid value', () => {
    const schema = z.object({
      name: z
        .string()
        .min(5)
        .regex(/^[a-zA-Z](?!.*--)([a-zA-Z0-9-]*[a-zA-Z0-9])?$/),
      size: z.int().min(1).max(100),
      tags: z.array(z.string()).max(1),
      target: z.enum(['running', 'stopped']),
      token: z.string().regex(/^t$/),
      own: z.string().refine(() => false, 'Choose another.'),
    });
    const texts = (value: unknown) =>
      validationProblem('body', schema.safeParse(value, requestTexts).error!).issues.map(({ msg }) => msg);
    expect(texts({ own: '' })).toEqual([
      'name: This field is required. Expected a string.',
      'size: This field is required. Expected a number.',
      'tags: This field is required. Expected an array.',
      'target: Use one of "running", "stopped".',
      expect.stringMatching(/^token.* This field is required\. Expected a string\.$/),
      'own: Choose another.',
    ]);
    expect(texts({ name: 'a', size: '2', tags: ['a', 'b'], target: 'runing', token: 't', own: '' })).toEqual([
      'name: Expected at least 5 characters.',
      'size: Expected a number, got a string.',
      'tags: Expected at most 1 item.',
      'target: Use one of "running", "stopped".',
      'own: Choose another.',
    ]);
    expect(texts({ name: 'My App!', size: 101, tags: [], target: 'running', token: 'x', own: '' })).toEqual([
      'name: Use letters, digits and single dashes. Start with a letter, and end with a letter or digit.',
      'size: Expected at most 100.',
      expect.stringContaining('Must match /^t$/.'),
      'own: Choose another.',
    ]);
  });

  it('fits its schema when a request has many or long unknown fields', () => {
    const keys = Array.from({ length: 200 }, (_, n) => [`${'k'.repeat(2000)}${n}`, 1]);
    const { error } = z.strictObject({}).safeParse(Object.fromEntries(keys));
    expect(body(validationProblem('body', error!)).details).toHaveLength(100);
  });

  it('has no top-level error_code while something else is in progress', () => {
    const live = {
      type: 'update',
      correlation_id: 'op_1',
      created_at: new Date(),
      rolls_back: false,
    } as const;
    for (const problem of [busyProblem('web', live), new Problem('IDEMPOTENT_REQUEST_IN_PROGRESS')]) {
      const sent = body(problem);
      expect(sent).not.toHaveProperty('error_code');
      expect(sent).toMatchObject({ message: problem.message, detail: { error_code: problem.code } });
    }
  });
});

/** Returns log lines for an error thrown after the client disconnects. */
async function logWhenLeft(thrown: Error): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const app = express();
  let arrived: (res: ServerResponse) => void;
  const inside = new Promise<ServerResponse>((resolve) => (arrived = resolve));
  app.get('/', (_req, res) => arrived(res));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  asked.on('error', () => undefined).end();
  const res = await inside;
  const closed = once(res, 'close');
  asked.destroy();
  await closed;
  sendProblem(res as express.Response, thrown, log);
  server.close();
  return lines;
}

it("doesn't log a client's disconnect as an error", async () => {
  expect(await logWhenLeft(new DOMException('The request has ended', 'AbortError'))).toEqual([]);
});

it('logs a failure of the caller’s own service in one line, not as an error', async () => {
  const failed = { message: 'agent.example.com refuses connections.', is_external: true };
  const lines = await logWhenLeft(new Problem('UPSTREAM_UNREACHABLE', failed));
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    {
      level: 30,
      time: expect.anything(),
      pid: expect.anything(),
      hostname: expect.anything(),
      problem: 'ERR-00-045',
      msg: failed.message,
    },
  ]);
});

it('still logs an error that occurs after the client disconnected', async () => {
  expect(await logWhenLeft(new TypeError('undefined is not a function'))).toEqual([
    expect.stringContaining('undefined is not a function'),
  ]);
});
