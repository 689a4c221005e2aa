import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const CONSOLE = join(import.meta.dirname, '..');

/** Folders with texts of public pages, including texts of checks. */
const FOLDERS = ['public', 'lib/public', 'lib/attestation'];

const isSource = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.split('/').includes('testing');

const withoutComments = (text: string) => text.replace(/\/\*.*?\*\//gs, '').replace(/(^|\s)\/\/.*$/gm, '');

test.each(FOLDERS)('texts in %s use one kind of apostrophe', (folder) => {
  const files = readdirSync(join(CONSOLE, folder), { recursive: true, encoding: 'utf8' }).filter(isSource);
  expect(files.length).toBeGreaterThan(5);
  const straight = files.flatMap((file) =>
    [
      ...withoutComments(readFileSync(join(CONSOLE, folder, file), 'utf8')).matchAll(
        /.*[A-Za-z]'(?:s|t|re|ve|ll)\b.*/g,
      ),
    ].map(([line]) => `${file}: ${line.trim()}`),
  );
  expect(straight).toEqual([]);
});
