import { describe, expect, it } from 'vitest';
import { mayMove, type MovableFacts } from './movable';

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
  ])('when it keeps nothing: %s', (_, compose) => {
    expect(mayMove(cvm(compose)).allowed).toBe(true);
  });

  it('when its owner says so, whatever it keeps', () => {
    const compose =
      'services:\n  db: { image: postgres, volumes: [ "data:/data" ] }\nvolumes: { data: {} }\n';
    expect(mayMove(cvm(compose, { movable: true })).allowed).toBe(true);
  });
});

describe('a CVM stays, and it is said why', () => {
  it.each([
    // Its image may declare a volume of its own, as that of a database does.
    ['a container may write', 'services:\n  db: { image: postgres }\n', {}, 'data on its disk'],
    [
      'one of two may write',
      'services:\n  web: { image: nginx, read_only: true }\n  db: { image: postgres }\n',
      {},
      'data on its disk',
    ],
    [
      'a named volume',
      'services:\n  web: { image: nginx, read_only: true, volumes: [ "data:/data" ] }\n',
      {},
      'data on its disk',
    ],
    ['a script before the containers', READ_ONLY, { pre_launch_script: 'touch /x' }, 'data on its disk'],
    ['no services', 'services: {}\n', {}, 'data on its disk'],
    ['no YAML', ': [', {}, 'data on its disk'],
    ['protected', READ_ONLY, { protected: true, movable: true }, 'protected'],
  ])('%s', (_, compose, more, why) => {
    const said = mayMove(cvm(compose, more));
    expect(said.allowed).toBe(false);
    expect(said.why).toContain(why);
  });
});
