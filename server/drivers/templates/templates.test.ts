import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../root';
import { templatesIn } from './index';

const OURS = join(ROOT, 'server/templates');
let folder: string;
let warnings: unknown[];
const log = { warn: (fields: object) => void warnings.push(fields) };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'teehouse-templates-'));
  warnings = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('an operator’s template replaces ours of the same name, and others are added', () => {
  for (const id of ['valkey', 'our-cache'])
    cpSync(join(OURS, 'valkey'), join(folder, id), { recursive: true });
  const meta = join(folder, 'valkey/template.yaml');
  writeFileSync(meta, readFileSync(meta, 'utf8').replace('name: Valkey', 'name: House cache'));
  const templates = templatesIn([OURS, folder], log);
  expect(warnings).toEqual([]);
  expect(templates.find('valkey')?.name).toBe('House cache');
  expect(templates.find('our-cache')?.name).toBe('Valkey');
  expect(templates.find('postgresql')?.name).toBe('PostgreSQL');
  const names = templates.all().map(({ name }) => name);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
});

test('one with a fault is skipped with its reason, and the others are offered', () => {
  cpSync(join(OURS, 'valkey'), join(folder, 'valkey'), { recursive: true });
  mkdirSync(join(folder, 'empty-one'));
  cpSync(join(OURS, 'redis'), join(folder, 'large-one'), { recursive: true });
  writeFileSync(join(folder, 'large-one/template.yaml'), 'x'.repeat(200_000));
  writeFileSync(join(folder, 'notes.txt'), 'not a template');
  symlinkSync('/nowhere', join(folder, 'broken-link'));
  const templates = templatesIn([folder, join(folder, 'missing')], log);
  expect(templates.all().map(({ id }) => id)).toEqual(['valkey']);
  expect(warnings).toEqual([
    { folder: join(folder, 'broken-link'), reason: expect.stringContaining('symbolic link') as string },
    { folder: join(folder, 'empty-one'), reason: expect.stringContaining('template.yaml') as string },
    { folder: join(folder, 'large-one'), reason: 'larger than 131072 bytes' },
  ]);
});
