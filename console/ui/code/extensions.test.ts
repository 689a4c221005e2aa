import { Text } from '@codemirror/state';
import { expect, it } from 'vitest';
import { toCodeMirror } from './extensions';

const doc = Text.of(['services:', '  web: nginx']);
const place = (line: number, column: number) => {
  const [found] = toCodeMirror(doc, [{ line, column, severity: 'error', message: 'm' }]);
  return doc.sliceString(found!.from, found!.to);
};

it('marks the word at a 1-based position', () => {
  expect(place(1, 1)).toBe('services');
  expect(place(2, 8)).toBe('nginx');
});
it('ignores positions outside the text', () => {
  expect(place(9, 99)).toBe('');
  expect(place(0, 0)).toBe('services');
});
