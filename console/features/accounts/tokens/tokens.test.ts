import { readFileSync } from 'node:fs';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { chosenVersion, versionChoices } from './defaultVersions';
import { tokenColumns } from './tokenColumns';
import { chosenDays, endsSoon } from './expiry';
import { tokensHref, tokensSearch } from './search';
import { ScannerPanel } from './ScannerPanel';
import { snippets } from './snippets';

test('reads preset, custom and unlimited expirations', () => {
  expect(chosenDays('90', '')).toEqual({ days: 90 });
  expect(chosenDays('never', '5')).toEqual({ days: null });
  expect(chosenDays('custom', ' 14 ')).toEqual({ days: 14 });
  for (const bad of ['', '0', '3651', '1.5', 'a'])
    expect(chosenDays('custom', bad), bad).toHaveProperty('fault');
});

test('marks tokens that expire within a week, not expired ones', () => {
  const now = Date.parse('2026-11-21T00:00:00Z');
  expect(endsSoon('2026-11-26T00:00:00Z', now)).toBe(true);
  expect(endsSoon('2026-12-21T00:00:00Z', now)).toBe(false);
  expect(endsSoon('2026-11-20T00:00:00Z', now)).toBe(false);
  expect(endsSoon(null, now)).toBe(false);
});

test('keeps the filter in both of the page’s addresses', () => {
  expect(tokensSearch({ state: 'revoked', new: 'true' })).toEqual({ state: 'revoked', new: true });
  expect(tokensSearch({ state: 'constructor', new: 'no' })).toEqual({});
  expect(tokensHref('/dashboard/tokens', { state: 'expired' })).toBe('/dashboard/tokens?state=expired');
});

test('uses this server’s address in the snippets', () => {
  const { login, curl } = snippets('https://tee.example', 'thk_api_x');
  expect(login).toBe('phala login thk_api_x --url https://tee.example/api/v1');
  expect(curl).toContain('https://tee.example/api/v1/auth/me');
});

test('accepts only known default versions, or the server’s', () => {
  for (const { value } of versionChoices) expect(chosenVersion(value) ?? '').toBe(value);
  expect(chosenVersion('constructor')).toBeNull();
});

test('shows the server’s default version with its date', () => {
  const { components } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
    components: { parameters: { ApiVersion: { schema: { default: string } } } };
  };
  const { default: version } = components.parameters.ApiVersion.schema;
  expect(versionChoices[0]).toEqual({ value: '', label: `Server default (${version})` });
});

test('leaves room for the token’s name beside the other columns', () => {
  const shown = tokenColumns(true).filter(({ defaultHidden }) => !defaultHidden);
  const others = shown.reduce((sum, { width = 0 }) => sum + width, 0);
  // All columns show from 960 px; the row's menu takes 48.
  expect(960 - 48 - others).toBeGreaterThanOrEqual(160);
});

test('names tokens after the installation', () => {
  vi.stubGlobal('document', { documentElement: { dataset: { brand: 'Acme Cloud' } } });
  expect(renderToStaticMarkup(createElement(ScannerPanel))).toContain('Every Acme Cloud token matches');
  vi.unstubAllGlobals();
});
