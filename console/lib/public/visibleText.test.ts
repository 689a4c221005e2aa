import { expect, it } from 'vitest';
import { visibleText } from './visibleText';

it.each(['👩‍👩‍👧‍👦', 'Zoë 👩🏽‍💻', '❤️‍🔥 on', '🏳️‍🌈', 'a\r\n\tb', 'شركة'])('leaves %j as it is', (text) =>
  expect(visibleText(text)).toBe(text),
);

it.each([
  ['a\u202eb', 'a\ufffdb'],
  ['\u2066a\u2069', '\ufffda\ufffd'],
  ['a\u200db', 'a\ufffdb'],
  ['👩\u200d', '👩\ufffd'],
  ['👩\u200d\u202e👧', '👩\ufffd\ufffd👧'],
  ['👩\u200d\u200d👧', '👩\ufffd\ufffd👧'],
  ['a\u{e0041}b\0', 'a\ufffdb\ufffd'],
])('marks what hides or reorders text in %j', (text, shown) => expect(visibleText(text)).toBe(shown));
