import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { emitHandlers } from './emitHandlers';
import type { ApiDocument } from './emitOperations';

let folder: string | undefined;
afterEach(() => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const document = {
  paths: {
    '/apps': {
      post: { operationId: 'createApp', responses: {} },
      get: { operationId: 'listApps', responses: {} },
    },
  },
} as unknown as ApiDocument;

/** Emits the handlers of a folder with these files. */
function emit(files: Record<string, string>): string {
  folder = mkdtempSync(join(tmpdir(), 'teehouse-handlers-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return emitHandlers(document, folder);
}

const createApp = "export const createApp: Handler<'createApp'> = async () => ({ status: 204 });";
const listApps = 'export async function listApps() {}';

it('collects the handlers of any folder, in alphabetical order', () => {
  const text = emit({
    'apps/rollouts/listApps.ts': listApps,
    'apps/createApp.ts': createApp,
    'apps/createApp.test.ts': '',
    'apps/shared.ts': '',
  });
  expect(text).toContain(
    "import { createApp } from './apps/createApp';\nimport { listApps } from './apps/rollouts/listApps';\n",
  );
  expect(text).toContain('handlers: Handlers = {\n  createApp,\n  listApps,\n};');
});

it('names every operation without a handler, and its expected file', () => {
  expect(() => emit({})).toThrow(
    'createApp has no handler: export const createApp from server/operations/<subject>/createApp.ts\nlistApps has no handler',
  );
});

it('rejects two files for one operation', () => {
  const files = {
    'apps/createApp.ts': createApp,
    'cvms/createApp.ts': createApp,
    'apps/listApps.ts': listApps,
  };
  expect(() => emit(files)).toThrow(
    'createApp has 2 handlers: server/operations/apps/createApp.ts, server/operations/cvms/createApp.ts',
  );
});

it('rejects a file that exports another name', () => {
  const files = { 'apps/createApp.ts': 'export const makeApp = 1;', 'apps/listApps.ts': listApps };
  expect(() => emit(files)).toThrow('server/operations/apps/createApp.ts does not export createApp');
});
