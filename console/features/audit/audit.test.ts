import { afterEach, describe, expect, it, vi } from 'vitest';
import { differences } from './differences';
import { auditQuery, auditSearch, exportHref, isFiltered } from './search';

describe('differences', () => {
  it('names what changed before what stayed', () => {
    expect(differences({ name: 'web', role: 'viewer' }, { name: 'web', role: 'admin' })).toEqual([
      { key: 'role', before: 'viewer', after: 'admin' },
      { key: 'name', before: 'web', after: 'web' },
    ]);
  });
  it('tells what came and what went', () => {
    expect(differences({ a: 1 }, null)).toEqual([{ key: 'a', before: '1', after: null }]);
    expect(differences(null, { a: null })).toEqual([{ key: 'a', before: null, after: 'none' }]);
    expect(differences(null, null)).toEqual([]);
  });
  it('reads nested values, lists and values that are no object', () => {
    expect(
      differences({ limits: { vcpu: 1 } }, { limits: { vcpu: 2 }, scopes: ['a', 'b'], none: [] }),
    ).toEqual([
      { key: 'limits.vcpu', before: '1', after: '2' },
      { key: 'scopes', before: null, after: 'a, b' },
      { key: 'none', before: null, after: 'none' },
    ]);
    expect(differences('old', 'new')).toEqual([{ key: '', before: 'old', after: 'new' }]);
    expect(differences(null, { list: [{ a: 1 }], empty: {}, text: '' }).map(({ after }) => after)).toEqual([
      '[\n  {\n    "a": 1\n  }\n]',
      '{}',
      '""',
    ]);
  });
});

describe('the address', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is read as far as it makes sense', () => {
    expect(
      auditSearch({ actor: 'usr_1', action: '', q: 7, from: '2026-02-30x', to: '2026-11-21', tab: 'audit' }),
    ).toEqual({
      actor: 'usr_1',
      action: undefined,
      target: undefined,
      from: undefined,
      to: '2026-11-21',
      q: undefined,
    });
    expect(auditSearch({ q: 'x'.repeat(500) }).q).toHaveLength(100);
    expect(isFiltered(auditSearch({ tab: 'audit' }))).toBe(false);
    expect(isFiltered(auditSearch({ q: 'a' }))).toBe(true);
  });

  it('means whole days of the person, also when clocks change', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(auditQuery({ from: '2026-10-25', to: '2026-10-25' })).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    });
  });

  it('leads to an export of the same entries', () => {
    expect(exportHref('acme', 'csv', { actor: 'usr_1', q: 'a&b' })).toBe(
      '/api/v1/workspaces/acme/audit/export?format=csv&actor=usr_1&q=a%26b',
    );
  });
});
