import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Code that a page works without, or that is retried elsewhere. */
const OTHERWISE: readonly string[] = [
  // Reports of errors.
  'admin/monitoring.ts',
  'admin/monitoringReporter.ts',
  'console/monitoring.ts',
  'console/monitoringReporter.ts',
  // Browsers have workers, so this runs in tests and on the command line.
  'console/lib/attestation/inWorker.ts',
  // Hydrated with retries.
  'console/public/islands/islands.ts',
  // An illustration.
  'console/ui/feedback/EmptyState.tsx',
];

it('covers every part of a page that loads on demand', () => {
  const files = ['console', 'admin'].flatMap((app) =>
    readdirSync(path.join(root, app), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^e2e\//.test(file))
      .map((file) => `${app}/${file}`),
  );
  const bare = files.filter((file) => {
    const code = readFileSync(path.join(root, file), 'utf8')
      .replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')
      .replaceAll(/(importWithRetry|lazyWithRetry)\(\(\) =>\s*import\(/g, '')
      .replaceAll('typeof import(', '');
    return /\bimport\(/.test(code);
  });
  expect(bare.toSorted()).toEqual(OTHERWISE.toSorted());
});
