import react from '@vitejs/plugin-react';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { ROOT } from '../../server/root';
import { generate } from '../../server/tools/codegen';

/**
 * `tsx buildAdmin.ts FOLDER`: runs the generator on `FOLDER/product.yaml` and builds the admin area, as it is, against what
 * comes out, into `FOLDER/dist`. A process of its own: neither is meant to live in a test runner.
 */
const [, , work = ''] = process.argv;
const notTests = (file: string) => !file.includes('/e2e') && !/\.test\.tsx?$/.test(file);

await generate(join(work, 'generated'), join(work, 'product.yaml'));
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
