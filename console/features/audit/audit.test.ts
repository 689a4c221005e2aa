import { afterEach, describe, expect, it, vi } from 'vitest';
import { differences } from './differences';
import { fieldName, targetName } from './names';
import { auditQuery, auditSearch, exportHref, isFiltered } from './search';

describe('differences', () => {
  it('lists changed values before unchanged ones', () => {
    expect(differences({ name: 'web', role: 'viewer' }, { name: 'web', role: 'admin' })).toEqual([
      { key: 'role', before: 'viewer', after: 'admin' },
      { key: 'name', before: 'web', after: 'web' },
    ]);
  });
  it('sorts the name first, then alphabetically', () => {
    const keys = (...[before, after]: Parameters<typeof differences>) =>
      differences(before, after).map(({ key }) => key);
    expect(keys(null, { vcpu: 1, disk_gb: 20, name: 'web', memory_mb: 2048 })).toEqual([
      'name',
      'disk_gb',
      'memory_mb',
      'vcpu',
    ]);
  });
  it('shows added and removed values', () => {
    expect(differences({ a: 1 }, null)).toEqual([{ key: 'a', before: '1', after: null }]);
    expect(differences(null, { a: null })).toEqual([{ key: 'a', before: null, after: 'none' }]);
    expect(differences(null, null)).toEqual([]);
  });
  it('flattens nested values and lists, and accepts plain values', () => {
    expect(
      differences({ limits: { vcpu: 1 } }, { limits: { vcpu: 2 }, scopes: ['a', 'b'], none: [] }),
    ).toEqual([
      { key: 'limits.vcpu', before: '1', after: '2' },
      { key: 'none', before: null, after: 'none' },
      { key: 'scopes', before: null, after: 'a, b' },
    ]);
    expect(differences('old', 'new')).toEqual([{ key: '', before: 'old', after: 'new' }]);
    expect(differences(null, { a_list: [{ a: 1 }], empty: {}, text: '' }).map(({ after }) => after)).toEqual([
      '[\n  {\n    "a": 1\n  }\n]',
      '{}',
      '""',
    ]);
  });
});

it('labels fields like screens do', () => {
  expect(['memory_mb', 'app_id', 'limits.vcpu', 'is_active', ''].map(fieldName)).toEqual([
    'Memory (MB)',
    'App ID',
    'Limits, vCPU',
    'Is active',
    'Value',
  ]);
});

describe('targetName', () => {
  const target = (kind: string, before: unknown, after: unknown = null) =>
    targetName({ target: { kind, id: 'id_1', name: null }, before, after });

  it('shows the name or address in an entry, else the ID', () => {
    expect(target('cvm', { name: 'web-1', vcpu: 1 }, { name: 'web-1', vcpu: 2 })).toBe('CVM web-1');
    expect(target('invitation', null, { email: 'ann@example.test' })).toBe('invitation ann@example.test');
    expect(target('cvm', { status: 'running' })).toBe('CVM id_1');
    const app_id = '3f2a'.repeat(10);
    const app = (name: string | null) =>
      targetName({ target: { kind: 'app', id: app_id, name }, before: null, after: { allowed: true } });
    expect(app('web')).toBe('app web');
    expect(app(null)).toBe('app 3f2a3f…2a3f2a');
    expect(targetName({ target: null, before: null, after: null })).toBe('—');
  });
});

describe('the audit search address', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('drops invalid parameters', () => {
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

  it('covers whole local days, also across clock changes', () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(auditQuery({ from: '2026-10-25', to: '2026-10-25' })).toEqual({
      from: '2026-10-24T22:00:00.000Z',
      to: '2026-10-25T23:00:00.000Z',
    });
  });

  it('has no limit in years that the API doesn’t have', () => {
    vi.stubEnv('TZ', 'UTC');
    expect(auditQuery({ from: '9999-12-31', to: '9999-12-31' })).toEqual({
      from: '9999-12-31T00:00:00.000Z',
    });
    expect(auditQuery({ to: '9999-12-30' })).toEqual({ to: '9999-12-31T00:00:00.000Z' });
    // That day starts in the year before 0 in UTC.
    vi.stubEnv('TZ', 'Europe/Berlin');
    expect(auditQuery({ from: '0000-01-01' })).toEqual({});
  });

  it('exports the same entries', () => {
    expect(exportHref('acme', 'csv', { actor: 'usr_1', q: 'a&b' })).toBe(
      '/api/v1/workspaces/acme/audit/export?format=csv&actor=usr_1&q=a%26b',
    );
  });
});
