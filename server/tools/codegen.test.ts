import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { secretFields } from '../../generated/api/permissions.gen';
import { ROOT } from '../root';
import { readApiDocument } from './apiDocument';
import { generate } from './codegen';

const run = promisify(execFile);
let work: string;

beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'teehouse-codegen-test-'));
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('codegen', () => {
  it('fails the type check and names the operation when a handler is missing', async () => {
    const document = readApiDocument();
    document.paths['/brand-new'] = {
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
    };
    const project = join(work, 'project');
    mkdirSync(project);
    await generate(join(project, 'generated'), document);
    for (const name of ['server', 'console', 'node_modules', 'package.json'])
      symlinkSync(join(ROOT, name), join(project, name));
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.json'),
        compilerOptions: { preserveSymlinks: true },
        include: [],
        files: ['server/operations/handlers.gen.ts'],
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
    expect(stdout).toMatch(/operations\/handlers\.gen\.ts.*getBrandNew/s);
  }, 300_000);
});

describe('secret fields', () => {
  it('only grow: none of these is ever removed from redaction', () => {
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
