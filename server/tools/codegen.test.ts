import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { secretFields } from '../../generated/api/permissions.gen';
import { ROOT } from '../root';
import { generate } from './codegen';

const run = promisify(execFile);
let work: string;

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'teehouse-codegen-test-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

function files(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')]),
  );
}

describe('codegen', () => {
  it('writes the same bytes twice, and they are the ones committed', async () => {
    await generate(join(work, 'a'));
    await generate(join(work, 'b'));
    const first = files(join(work, 'a'));
    expect(files(join(work, 'b'))).toEqual(first);
    expect(Object.keys(first).length).toBeGreaterThan(10);
    expect(files(join(ROOT, 'generated'))).toEqual(first);
  });

  it('makes an operation without a handler fail the type check, by name', async () => {
    const document = parseDocument(readFileSync(join(ROOT, 'openapi/product.yaml'), 'utf8'));
    const paths = document.get('paths') as unknown as { set(key: string, value: unknown): void };
    paths.set(
      '/brand-new',
      document.createNode({
        get: {
          operationId: 'getBrandNew',
          tags: ['catalogue'],
          'x-permission': 'public',
          responses: {
            200: {
              description: 'New.',
              content: { 'application/json': { schema: { $ref: '#/components/schemas/KmsInfo' } } },
            },
          },
        },
      }),
    );
    const project = join(work, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'product.yaml'), document.toString());
    await generate(join(project, 'generated'), join(project, 'product.yaml'));
    for (const name of ['server', 'console', 'node_modules', 'package.json'])
      symlinkSync(join(ROOT, name), join(project, name));
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        compilerOptions: { preserveSymlinks: true },
        include: [],
        files: ['server/operations/index.ts'],
      }),
    );
    const { stdout, code } = await run(
      process.execPath,
      [join(ROOT, 'node_modules/tsgo/bin/tsc'), '-p', project],
      { maxBuffer: 1e8 },
    ).then(
      (ok) => ({ ...ok, code: 0 }),
      (failed: { stdout: string; code: number }) => failed,
    );
    expect(code).not.toBe(0);
    expect(stdout).toMatch(/operations\/index\.ts.*getBrandNew/s);
  }, 120_000);
});

describe('secret fields', () => {
  it('may only grow: none of these is ever left out of the redaction', () => {
    expect(secretFields).toEqual(
      expect.arrayContaining([
        'password',
        'device_code',
        'access_token',
        'credential',
        'encrypted_env',
        'user_config',
        'token',
      ]),
    );
  });
});
