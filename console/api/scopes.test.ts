import { expect, test } from 'vitest';
import { isPlatformScope, describeScope, scopeName, scopeUse, TOKEN_SCOPES } from './scopes';

test('every scope has a description', () => {
  for (const scope of TOKEN_SCOPES) {
    expect(describeScope(scope)).not.toBe(scope);
    expect(scopeName(scope)).not.toBe(scope);
  }
  expect(describeScope('moon:*')).toBe('moon:*');
});

test('a role limits what a scope allows', () => {
  expect(scopeUse('audit:read', 'member')).toEqual({
    usable: false,
    lacking: ['Read and export the audit log.'],
  });
  expect(scopeUse('audit:read', 'admin').usable).toBe(true);
  const viewer = scopeUse('cvms:*', 'viewer');
  expect(viewer.usable).toBe(true);
  expect(viewer.lacking.join(' ')).toContain('Deploy');
  expect(scopeUse('cvms:*', 'member').lacking).toEqual([
    "Give up a lost CVM's disk and start with an empty one.",
  ]);
  expect(scopeUse('cvms:*', 'admin').lacking).toEqual([]);
});

test('detects scopes beyond the team', () => {
  expect(isPlatformScope('admin:read')).toBe(true);
  expect(isPlatformScope('cvms:*')).toBe(false);
});
