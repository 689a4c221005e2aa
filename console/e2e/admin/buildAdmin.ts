import react from '@vitejs/plugin-react';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../../../server/root';
import { writeOwn } from '../../../server/tools/codegen';
import type { ApiDocument } from '../../../server/tools/emitOperations';

/**
 * `tsx buildAdmin.ts FOLDER`: runs our generators on the merged document `FOLDER/openapi.json` and builds the unchanged
 * admin area against the result into `FOLDER/dist`. The client's types don't reach the browser, so they stay those of
 * this repository. A separate process, because neither is meant to run inside a test runner.
 */
const [, , work = ''] = process.argv;
const notTests = (file: string) => !file.includes('/e2e') && !/\.test\.tsx?$/.test(file);

const document = JSON.parse(readFileSync(join(work, 'openapi.json'), 'utf8')) as ApiDocument;
cpSync(join(ROOT, 'generated'), join(work, 'generated'), { recursive: true });
writeOwn(join(work, 'generated'), document);
for (const name of ['admin', 'console', 'package.json', 'tsconfig.json'])
  cpSync(join(ROOT, name), join(work, name), { recursive: true, filter: notTests });
symlinkSync(join(ROOT, 'node_modules'), join(work, 'node_modules'));
await build({
  root: work,
  configFile: false,
  logLevel: 'error',
  plugins: [react()],
  build: {
    outDir: join(work, 'dist'),
    target: 'es2023',
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: { input: join(work, 'admin/index.html') },
  },
});
