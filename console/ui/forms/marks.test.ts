import { expect, it } from 'vitest';
import { type Marks, marksAfter } from './marks';

const after = (...renders: [isAtField: boolean, isMarked: boolean][]): Marks =>
  renders.reduce<Marks>((before, render) => marksAfter(before, ...render), 'none');

it('drops a form’s error once no refused field is marked any more', () => {
  expect(after([false, false], [true, true])).toBe('marked');
  expect(after([true, true], [true, false])).toBe('corrected');
  expect(after([true, true], [true, false], [true, true])).toBe('marked');
});

it('keeps an error whose field isn’t there to be marked, and the next one', () => {
  expect(after([true, false], [true, false])).toBe('none');
  expect(after([true, true], [true, false], [false, false], [true, false])).toBe('none');
});
