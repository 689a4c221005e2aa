import { expect, it } from 'vitest';
import { csvLine } from './csv';

it.each([
  ['=HYPERLINK("http://x.test")', `"'=HYPERLINK(""http://x.test"")"`],
  ['+1+1', `"'+1+1"`],
  ['-2+3', `"'-2+3"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['＝1+1', `"'＝1+1"`],
  ['-5.25', '-5.25'],
  ['-5.25+1', `"'-5.25+1"`],
  ['a,b', '"a,b"'],
  ['line\nbreak', '"line\nbreak"'],
  ['say "hi"', '"say ""hi"""'],
  ['plain = text', 'plain = text'],
  ['', ''],
])('formats %j as the cell %j', (value, cell) => expect(csvLine([value])).toBe(`${cell}\r\n`));

it('joins cells, with plain numbers and empty nulls', () => {
  expect(csvLine([1, null, 'a'])).toBe('1,,a\r\n');
});
