import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from './build';
import { ensureDocker, ensureTestImages, removeTeepodContainers } from './docker';
import { contactSheet, matching, photoPages } from './photoPages';
import { freePort } from './postgres';
import { bin, runNode, seconds } from './run';
import { ensureSystemPackages } from './system';

/**
 * `npm run photos [-- [--out=folder] word…]`: takes screenshots of every page whose path contains the words, with
 * seeded data, at three widths in two color schemes, and writes an index.html for them.
 */

const given = process.argv.slice(2);
const out = given.find((word) => word.startsWith('--out='))?.slice('--out='.length);
const words = given.filter((word) => !word.startsWith('--out='));
const folder = path.resolve(out ?? '/tmp/teehouse-photos');

const started = Date.now();
const all = matching(photoPages(), words);
if (all.length === 0) {
  console.error(`No page has an address with ${words.join(' and ')}.`);
  process.exit(1);
}

await ensureSystemPackages();
await build();
const docker = await ensureDocker();
if ('reason' in docker) {
  console.error(`The pages of a CVM need Docker: ${docker.reason}`);
  process.exit(1);
}
await ensureTestImages(docker.socket);
// Files are only added to a user-supplied folder.
if (out === undefined) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const dataDir = `/tmp/teehouse-photos-${process.pid}`;
const { code } = await runNode(
  [bin('@playwright/test/cli.js'), 'test', '--config', 'console/e2e/photos/playwright.config.ts'],
  {
    show: true,
    env: {
      E2E_PORT: String(await freePort()),
      E2E_DATA_DIR: dataDir,
      DATABASE_URL: undefined,
      PHOTOS_FOLDER: folder,
      PHOTOS_WORDS: words.join(' '),
    },
  },
);
// Containers outlive their server by design.
const id = await readFile(path.join(dataDir, 'teepod/id'), 'utf8').catch(() => undefined);
if (id) await removeTeepodContainers(docker.socket, id.trim());
await docker.stop();
await rm(dataDir, { recursive: true, force: true });

const files = new Set(await readdir(folder));
const missing = new Map<string, string>();
for (const { name } of all) {
  const why = await readFile(path.join(folder, `${name}.txt`), 'utf8').catch(() => undefined);
  if (why !== undefined) missing.set(name, why);
  else if (!files.has(`${name}-1920-dark.png`)) missing.set(name, 'Not photographed.');
}
await writeFile(path.join(folder, 'index.html'), contactSheet(all, missing));
for (const [name, why] of missing) console.log(`no photographs of ${name}: ${why.split('\n')[0]}`);
console.log(`${all.length - missing.size} of ${all.length} pages photographed in ${seconds(started)}`);
console.log(`file://${folder}/index.html`);
// Some records, such as alerts, only exist while something is wrong or in progress.
process.exit(code);
