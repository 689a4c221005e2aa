import { expect, it } from 'vitest';
import { batchBody, firstThatFit, MAX_BATCH_BYTES, nextAttempt } from './auditBatch';
import { addressFault, hostAndPort } from './destination';

const at = new Date('2026-11-21T08:00:00Z');

it('a batch has at least one entry and ends before the limit', () => {
  const bytes = (n: number) => n;
  expect(firstThatFit([1, 2, 3], bytes)).toEqual([1, 2, 3]);
  expect(firstThatFit([MAX_BATCH_BYTES * 2, 1], bytes)).toEqual([MAX_BATCH_BYTES * 2]);
  expect(firstThatFit([MAX_BATCH_BYTES - 1, 1, 1], bytes)).toEqual([MAX_BATCH_BYTES - 1, 1]);
  expect(firstThatFit([], bytes)).toEqual([]);
});

it('a batch is JSON', () => {
  const entries = ['{"id":"1"}', '{"id":"2"}'];
  const head = { event_id: 'aud_1_1_2', at, installation: 'https://cloud.example.com', test: false };
  expect(JSON.parse(batchBody({ ...head, entries }))).toEqual({
    id: 'aud_1_1_2',
    version: '1',
    created_at: '2026-11-21T08:00:00.000Z',
    installation: 'https://cloud.example.com',
    test: false,
    entries: [{ id: '1' }, { id: '2' }],
  });
});

it('a failed delivery is retried after 5 s, then with growing delays up to 5 minutes, and never given up', () => {
  const waits = [1, 2, 3, 6, 7, 100, 1_000_000].map(
    (n) => (nextAttempt(n, at, 1).getTime() - at.getTime()) / 1000,
  );
  expect(waits).toEqual([5, 10, 20, 160, 300, 300, 300]);
  expect(nextAttempt(1, at, 0).getTime() - at.getTime()).toBe(4_000);
});

it.each([
  ['logs.example.com:6514', { host: 'logs.example.com', port: 6514 }],
  ['10.0.0.5:514', { host: '10.0.0.5', port: 514 }],
  ['[fd00::5]:6514', { host: 'fd00::5', port: 6514 }],
  ['logs.example.com', null],
  ['logs.example.com:0', null],
  ['logs.example.com:65536', null],
  ['fd00::5:6514', null],
  ['[10.0.0.5]:514', null],
  ['https://logs.example.com:6514', null],
  ['a b:514', null],
])('reads host and port of %s', (address, found) => {
  expect(hostAndPort(address)).toEqual(found);
  expect(addressFault('syslog_tls', address) === null).toBe(found !== null);
});

it.each([
  ['https://logs.example.com/teehouse?key=1', true],
  ['http://127.0.0.1:8088/in', true],
  ['logs.example.com:6514', false],
  ['ftp://logs.example.com', false],
  ['https://logs.example.com/#part', false],
  ['https://logs.example.com:25/', false],
])('accepts %s as a URL: %s', (address, is_taken) => {
  expect(addressFault('webhook', address) === null).toBe(is_taken);
});
