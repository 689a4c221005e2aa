import { expect, test } from 'vitest';
import { isPlatformScope, scopeInWords, scopeName, scopeUse, TOKEN_SCOPES } from './scopes';

test('every scope one can choose is said in words', () => {
  for (const scope of TOKEN_SCOPES) {
    expect(scopeInWords(scope)).not.toBe(scope);
    expect(scopeName(scope)).not.toBe(scope);
  }
  expect(scopeInWords('moon:*')).toBe('moon:*');
});

test('a role limits what a scope is good for', () => {
  expect(scopeUse('audit:read', 'member')).toEqual({
    usable: false,
    lacking: ['Read and export the audit log.'],
  });
  expect(scopeUse('audit:read', 'admin').usable).toBe(true);
  const viewer = scopeUse('cvms:*', 'viewer');
  expect(viewer.usable).toBe(true);
  expect(viewer.lacking.join(' ')).toContain('Deploy');
  expect(scopeUse('cvms:*', 'member').lacking).toEqual([]);
});

test('scopes beyond the team', () => {
  expect(isPlatformScope('admin:read')).toBe(true);
  expect(isPlatformScope('cvms:*')).toBe(false);
});
