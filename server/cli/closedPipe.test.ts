import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { ignoreClosedPipes } from './closedPipe';

const stream = new EventEmitter();
ignoreClosedPipes([stream]);
const fail = (code: string) => stream.emit('error', Object.assign(new Error(code), { code }));

it('lets a command finish after its output’s reader has exited', () => {
  expect(() => fail('EPIPE')).not.toThrow();
});

it('reports other failures, such as a full disk', () => {
  expect(() => fail('ENOSPC')).toThrow('ENOSPC');
});
