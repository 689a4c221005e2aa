import { afterEach, expect, it, vi } from 'vitest';
import { readStored, storedList, writeStored } from './stored';

afterEach(() => void vi.unstubAllGlobals());

const isText = (value: unknown): value is string => typeof value === 'string';
const list = storedList('test-list', isText, 3);
const put = (text: string) => list.put(text, (other) => other === text);

it('keeps a list, newest first, without duplicates or old entries', () => {
  for (const text of ['a', 'b', 'c', 'a', 'd']) put(text);
  expect(list.read()).toEqual(['d', 'a', 'c']);
  expect(list.parse(readStored(list.key, '[]'))).toEqual(['d', 'a', 'c']);
  list.remove((text) => text === 'a');
  expect(list.read()).toEqual(['d', 'c']);
});

it.each(['no JSON', '{}', '7', 'null', '[null,1,"a"]'])('drops damaged entries: %s', (text) => {
  writeStored(list.key, text);
  expect(list.read()).toEqual(text.includes('"a"') ? ['a'] : []);
  put('b');
  expect(list.read()[0]).toBe('b');
});

it('keeps a choice that no longer fits into the storage, over the one stored before', () => {
  const stored = new Map([['teehouse:choice', 'old']]);
  let isFull = true;
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (isFull) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      stored.set(key, value);
    },
  });
  expect(readStored('choice', '')).toBe('old');
  writeStored('choice', 'new');
  expect(readStored('choice', '')).toBe('new');
  isFull = false;
  writeStored('choice', 'newer');
  // From here on, another tab's choice counts, too.
  stored.set('teehouse:choice', 'newest');
  expect(readStored('choice', '')).toBe('newest');
});
