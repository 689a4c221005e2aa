import { expect, test } from 'vitest';
import { isPlatformScope, normalCode, describeScope } from './scopes';

test('accepts codes in any common spelling', () => {
  for (const typed of ['ABCD-EFGH', 'abcdefgh', ' abcd efgh ', 'abcd_efgh'])
    expect(normalCode(typed)).toBe('ABCD-EFGH');
  expect(normalCode('abc')).toBe('ABC');
});

test('shows an unknown scope instead of hiding it', () => {
  expect(describeScope('moon:*')).toBe('moon:*');
  expect(describeScope('cvms:*')).toContain('delete');
  expect(isPlatformScope('admin:read')).toBe(true);
  expect(isPlatformScope('cvms:*')).toBe(false);
});
