import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { secretFields } from '../generated/api/permissions.gen';
import { createLogger } from './log';

it('redacts every secret in the document, wherever a log line may carry it', () => {
  let text = '';
  const log = createLogger(
    'info',
    new Writable({ write: (chunk: Buffer, _, done) => ((text += chunk.toString()), done()) }),
  );
  for (const field of secretFields) {
    log.info(
      {
        [field]: 'hunter2',
        body: { [field]: 'hunter2' },
        err: { [field]: 'hunter2' },
        anything: { [field]: 'hunter2' },
      },
      'request',
    );
  }
  log.info({ headers: { authorization: 'hunter2', cookie: 'hunter2', 'x-api-key': 'hunter2' } }, 'request');
  const token = { token: 'hunter2' };
  const error = Object.assign(new Error('failed'), token);
  for (const line of [{ reason: error }, { err: error }, { err: Object.assign(error, { info: token }) }])
    log.info(line, 'request');
  log.child({ ...token, request_id: 'req_1' }).info(token, 'request');
  expect(text).toContain('[redacted]');
  expect(text).not.toContain('hunter2');
});

it('leaves the logged objects unchanged', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  const given = { body: { token: 'hunter2', name: 'a' }, at: new Date(0), list: [{ name: 'b' }] };
  log.info(given, 'request');
  expect(given.body.token).toBe('hunter2');
  expect(JSON.parse(lines.join(''))).toMatchObject({
    body: { token: '[redacted]', name: 'a' },
    at: '1970-01-01T00:00:00.000Z',
    list: [{ name: 'b' }],
    msg: 'request',
  });
});

it('changes its level at run time, also for existing children, and redacts at every level', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  const child = log.child({ request_id: 'req_1' });
  const written = () => lines.splice(0).map((line) => (JSON.parse(line) as { msg: string }).msg);
  const writeAll = () => {
    for (const level of ['error', 'info', 'debug', 'trace'] as const)
      child[level]({ headers: { authorization: 'hunter2' } }, level);
    expect(lines.join('')).not.toContain('hunter2');
  };
  writeAll();
  expect(written()).toEqual(['error', 'info']);
  log.threshold.override('trace');
  writeAll();
  expect(written()).toEqual(['error', 'info', 'debug', 'trace']);
  log.threshold.override('error');
  writeAll();
  expect(written()).toEqual(['error']);
  log.threshold.override(null);
  expect(log.threshold.level).toBe('info');
  writeAll();
  expect(written()).toEqual(['error', 'info']);
});

it('writes nothing when silent', () => {
  const lines: string[] = [];
  const log = createLogger('silent', { write: (line: string) => void lines.push(line) });
  log.fatal('anything');
  expect(lines).toEqual([]);
});

it('logs a database error without the rows, values and connection it carries', () => {
  const canary = 'canary-3f9a';
  const error = Object.assign(new Error('new row violates check constraint "x"'), {
    code: '23514',
    constraint: 'x',
    table: 'teepods',
    detail: `Failing row contains (${canary})`,
    where: `JSON data, line 1: ${canary}`,
    client: { connectionParameters: { password: canary } },
    parameters: [canary],
  });
  const lines: string[] = [];
  const log = createLogger('error', { write: (line: string) => void lines.push(line) });
  log.error({ err: error }, 'failed');
  const written = lines.join('');
  expect(written).toContain('23514');
  expect(written).toContain('check constraint');
  expect(written).not.toContain(canary);
});
