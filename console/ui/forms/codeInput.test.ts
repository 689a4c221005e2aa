import { expect, test } from 'vitest';
import { codeDigits, isWholeCode } from './CodeInput';

test('accepts codes as apps display them and as users paste them', () => {
  for (const typed of ['123456', '123 456', ' 123-456 ', '123\u00a0456', '1234567'])
    expect(codeDigits(typed)).toBe('123456');
  expect(codeDigits('abc')).toBe('');
  expect(isWholeCode(codeDigits('12 34 5'))).toBe(false);
});
