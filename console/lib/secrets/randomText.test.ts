import { expect, test } from 'vitest';
import { randomText } from './randomText';

test('generates different values that use every letter and digit', () => {
  const texts = Array.from({ length: 200 }, () => randomText(32));
  expect(new Set(texts).size).toBe(200);
  expect(new Set(texts.join('')).size).toBe(62);
});
