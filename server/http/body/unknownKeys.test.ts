import { describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { ValidationProblem } from '../errors';
import { ignoredKeys, refuseKeys, strippedKeys } from './unknownKeys';

const warn = { unknownKeys: 'strip', ignoredKeys: ['id'] } as const;

describe('ignored keys', () => {
  it('are named at every level, except absent and expected ones', () => {
    const given = {
      id: 1,
      name: 'a',
      colour: 'red',
      gone: null,
      file: { text: '', salt: 1 },
      rows: [{ a: 1, b: 2 }],
    };
    const parsed = { name: 'a', file: { text: '' }, rows: [{ a: 1 }] };
    expect(ignoredKeys(warn, given, parsed)).toBe('colour, file.salt, rows[0].b');
    expect(ignoredKeys(warn, { id: 1, name: 'a' }, { name: 'a' })).toBeUndefined();
    expect(ignoredKeys(warn, { '': 1, file: { '': 1 } }, { file: {} })).toBe('"", file.""');
  });

  it('fit into a header, regardless of number and length', () => {
    const given = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`${index},\r\n\u00e9${'x'.repeat(500)}`, 1]),
    );
    const header = ignoredKeys(warn, given, {}) ?? '';
    expect(header.length).toBeLessThanOrEqual(1500);
    expect(header).toMatch(/^[\x20-\x7e]+, \.\.\.$/);
    expect(header.split(', ')).toHaveLength(21);
  });

  it('are searched for up to a limit', () => {
    let given: unknown = { deepest: 1 };
    for (let depth = 0; depth < 5_000; depth++) given = [given];
    expect(strippedKeys(given, given)).toEqual([]);
  });

  it('are an error where unknown keys are refused', () => {
    const refuse = { ...warn, unknownKeys: 'refuse' } as const;
    expect(() => ignoredKeys(refuse, { id: 1, colour: 1 }, {})).toThrow(ValidationProblem);
    expect(ignoredKeys(refuse, { id: 1 }, {})).toBeUndefined();
  });
});

describe('refused keys', () => {
  it('include variables in a provision, which would otherwise be lost', () => {
    const refuse = (given: unknown) => () => refuseKeys(operations.provisionCvm, given);
    expect(refuse({ env: { A: '1' } })).toThrow(ValidationProblem);
    expect(refuse({ encrypted_env: 'aa' })).toThrow(ValidationProblem);
    expect(refuse({ env: {}, env_keys: ['A'] })).not.toThrow();
  });

  const spec = {
    refusedKeys: {
      encrypted: { unless: [true], reason: 'Always.' },
      'file.keys': { unless: [[]], reason: '' },
    },
  };

  it('pass if absent or equal to the default behavior', () => {
    for (const body of [
      {},
      { encrypted: null },
      { encrypted: true, file: { keys: [] } },
      { file: 'text' },
      null,
      [1],
    ])
      expect(() => refuseKeys(spec, body)).not.toThrow();
  });

  it('are all named', () => {
    expect(() => refuseKeys(spec, { encrypted: false, file: { keys: ['a'] } })).toThrow(
      expect.objectContaining({
        issues: [
          expect.objectContaining({ loc: ['body', 'encrypted'] }),
          expect.objectContaining({ loc: ['body', 'file', 'keys'] }),
        ],
      }),
    );
  });

  it('are declared only where a body could hold them, with a reason', () => {
    for (const id of Object.keys(operations) as OperationId[]) {
      const { refusedKeys, unknownKeys } = operations[id];
      for (const { reason } of Object.values(refusedKeys)) expect(reason, id).toMatch(/\.$/);
      if (Object.keys(refusedKeys).length > 0) expect(unknownKeys, id).not.toBeNull();
    }
  });
});
