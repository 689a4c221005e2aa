import { expect, test } from 'vitest';
import { isPlatformScope, normalCode, scopeInWords } from './scopes';

test('codes are understood as people type them', () => {
  for (const typed of ['ABCD-EFGH', 'abcdefgh', ' abcd efgh ', 'abcd_efgh'])
    expect(normalCode(typed)).toBe('ABCD-EFGH');
  expect(normalCode('abc')).toBe('ABC');
});

test('an unknown scope is shown, not hidden', () => {
  expect(scopeInWords('moon:*')).toBe('moon:*');
  expect(scopeInWords('cvms:*')).toContain('delete');
  expect(isPlatformScope('admin:read')).toBe(true);
  expect(isPlatformScope('cvms:*')).toBe(false);
});
