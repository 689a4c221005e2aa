import { describe, expect, it } from 'vitest';
import { mayMove, mayMoveEach, type MovableFacts } from './movable';

const cvm = (docker_compose_file: string, more: Partial<MovableFacts> = {}): MovableFacts => ({
  movable: false,
  protected: false,
  docker_compose_file,
  pre_launch_script: null,
  ...more,
});

const READ_ONLY = 'services:\n  web: { image: nginx, read_only: true }\n';

describe('a CVM may be moved', () => {
  it.each([
    ['read-only without volumes', READ_ONLY],
    [
      'with memory for what it writes',
      'services:\n  web: { image: nginx, read_only: true, volumes: [ { type: tmpfs, target: /tmp } ] }\n',
    ],
  ])('when it stores nothing: %s', (_, compose) => {
    expect(mayMove(cvm(compose)).allowed).toBe(true);
  });

  it('when its owner allows it, even if it stores data', () => {
    const compose =
      'services:\n  db: { image: postgres, volumes: [ "data:/data" ] }\nvolumes: { data: {} }\n';
    expect(mayMove(cvm(compose, { movable: true })).allowed).toBe(true);
  });
});

describe('a CVM stays, with the reason', () => {
  it.each([
    // Its image may declare its own volume, as database images do.
    ['a container may write', 'services:\n  db: { image: postgres }\n', {}, 'Its disk may hold data'],
    [
      'one of two may write',
      'services:\n  web: { image: nginx, read_only: true }\n  db: { image: postgres }\n',
      {},
      'Its disk may hold data',
    ],
    [
      'a named volume',
      'services:\n  web: { image: nginx, read_only: true, volumes: [ "data:/data" ] }\n',
      {},
      'Its disk may hold data',
    ],
    [
      'a volume from a merge key',
      'x-base: &base { volumes: [ "data:/data" ] }\nservices:\n  web: { <<: *base, image: nginx, read_only: true }\n',
      {},
      'Its disk may hold data',
    ],
    // Long files aren't parsed: a drain reads one for each of a host's CVMs, and parsing can take seconds.
    ['a long file', READ_ONLY + '# and so on\n'.repeat(2_000), {}, 'Its disk may hold data'],
    ['deep nesting', `x: ${'[a,'.repeat(5_000)}`, {}, 'Its disk may hold data'],
    ['a pre-launch script', READ_ONLY, { pre_launch_script: 'touch /x' }, 'Its disk may hold data'],
    ['no services', 'services: {}\n', {}, 'Its disk may hold data'],
    ['invalid YAML', ': [', {}, 'Its disk may hold data'],
    ['protected', READ_ONLY, { protected: true, movable: true }, 'protected'],
  ])('%s', (_, compose, more, why) => {
    const said = mayMove(cvm(compose, more));
    expect(said.allowed).toBe(false);
    expect(said.why.text).toContain(why);
  });
});

it('decides for many CVMs in order, and lets other work run in between', async () => {
  const cvms = Array.from({ length: 20 }, (_, i) => cvm(READ_ONLY, { protected: i % 2 === 1 }));
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const decided = await mayMoveEach(cvms);
  clearImmediate(next);
  expect(decided.map((one) => one.cvm)).toEqual(cvms);
  expect(decided.map(({ allowed }) => allowed)).toEqual(cvms.map((one) => !one.protected));
  expect(turns).toBeGreaterThanOrEqual(cvms.length - 1);
});
