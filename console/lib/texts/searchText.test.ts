import { expect, it } from 'vitest';
import { searchText } from './searchText';

it.each([
  ['web', 'web'],
  ['\0we\0b', 'web'],
  ['a\tb', 'a b'],
  ['a\ud800b', 'ab'],
  ['👩‍💻', '👩‍💻'],
  ['0123456789', '01234567'],
  ['\0', undefined],
  [' \n ', undefined],
  ['', undefined],
  [12, undefined],
  [undefined, undefined],
])('reads %j as %j', (given, text) => expect(searchText(given, 8)).toBe(text));
