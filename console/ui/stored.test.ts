import { expect, it } from 'vitest';
import { readStored, storedList, writeStored } from './stored';

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
