import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AiError } from './aiError';
import { listOf, texts } from './boundedLists';
import { parseModelRequest } from './modelRequest';

const ZEROS = Array.from({ length: 300_000 }, () => 0 as unknown);

describe('a list with faults', () => {
  it('is read up to its first fault, which is named', () => {
    let read = 0;
    const item = z.custom<string>((value) => {
      read += 1;
      return typeof value === 'string';
    });
    const { error } = listOf(item, { most: 1_000_000 }).safeParse(['a', ...ZEROS]);
    expect(read).toBe(2);
    expect(error?.issues).toMatchObject([{ path: [1] }]);
  });

  it('is not read at all if it is too long', () => {
    const never = z.custom<string>(() => {
      throw new Error('read');
    });
    expect(listOf(never, { most: 10 }).safeParse(ZEROS).error?.issues).toHaveLength(1);
  });

  it.each([
    ['strings, then others', ['', ...ZEROS]],
    ['tokens, then others', [0, '', ...ZEROS]],
    ['lists, then others', [[0], ...ZEROS]],
    ['tokens in a list, then others', [[0, '', ...ZEROS]]],
  ])('of %s is one finding, and the rest is not read', (_, items) => {
    let read = 0;
    const counting = (list: unknown[]): unknown =>
      new Proxy(list, {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) read += 1;
          return Reflect.get(target, key, receiver) as unknown;
        },
      });
    const given = counting(items.map((one) => (Array.isArray(one) ? counting(one) : one)));
    const { error } = texts(1_000_000).safeParse(given);
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]).not.toHaveProperty('errors');
    expect(read).toBeLessThan(12);
  });

  it.each([
    [
      'messages',
      'chat.completions',
      { messages: [{ role: 'user', content: 'Hi' }, { role: 5 }] },
      'messages[1].role',
    ],
    ['prompts', 'completions', { prompt: ['a', 5] }, 'prompt'],
    ['inputs', 'embeddings', { input: [[1], []] }, 'input'],
  ] as const)('of %s is refused with its name', (_, endpoint, body, param) => {
    const refused = () => parseModelRequest(endpoint, Buffer.from(JSON.stringify({ model: 'a', ...body })));
    expect(refused).toThrow(AiError);
    expect(refused).toThrow(`${param}: `);
  });

  it('is unchanged if nothing is wrong', () => {
    for (const given of ['a', [1, 2], ['a', 'b'], [[1], [2, 3]]])
      expect(texts(2).parse(given)).toEqual(given);
    for (const given of [undefined, null, 5, [], [[]], [-1], [1.5], ['a', 'b', 'c']])
      expect(texts(2).safeParse(given).success).toBe(false);
  });
});
