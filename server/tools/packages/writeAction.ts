import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { InlineConfig } from 'vite';
import { ROOT } from '../run';

const SOURCE = path.join(ROOT, 'integrations/github-action');
const FILES = ['action.yml', 'README.md'];

/**
 * Writes the action to `folder`, replacing it: its description and one file with everything it needs, which is
 * also the command `teehouse-deploy` of an npm package.
 */
export async function writeAction(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bundled = await bundle(folder);
  for (const file of FILES) await cp(path.join(SOURCE, file), path.join(folder, file));
  await cp(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  await chmod(path.join(folder, 'main.mjs'), 0o755);
  await writeFile(path.join(folder, 'NOTICES.txt'), await notices(bundled));
  const { version, license } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
    version: string;
    license: string;
  };
  const manifest = {
    name: 'teehouse-deploy',
    version,
    description: 'Deploys a Compose file as a confidential VM from CI, and verifies its evidence.',
    license,
    type: 'module',
    bin: { 'teehouse-deploy': 'main.mjs' },
    // The runtimes of runners; older ones lack what the verifier needs.
    engines: { node: '>=20.19' },
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** @returns folders of the bundled packages */
async function bundle(outDir: string): Promise<string[]> {
  const config: InlineConfig = {
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    mode: 'production',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      target: 'node20',
      outDir,
      emptyOutDir: false,
      // Not minified, because it handles secrets.
      minify: false,
      rollupOptions: {
        input: { main: path.join(SOURCE, 'main.ts') },
        output: { entryFileNames: '[name].mjs', codeSplitting: false, banner: '#!/usr/bin/env node' },
      },
    },
  };
  const { build } = await import('vite');
  const output = [await build(config)].flat().flatMap((one) => ('output' in one ? one.output : []));
  const packages = new Set<string>();
  for (const file of output)
    if (file.type === 'chunk')
      for (const id of Object.keys(file.modules)) {
        const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
        if (name !== undefined) packages.add(name);
      }
  return [...packages].sort();
}

/** Returns the packages' licenses, which must be distributed with their code. */
async function notices(packages: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    packages.map(async (name) => {
      const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
        .map((candidate) => path.join(ROOT, 'node_modules', name, candidate))
        .find((candidate) => existsSync(candidate));
      if (file === undefined) throw new Error(`${name} has no license file`);
      return `${name}\n\n${(await readFile(file, 'utf8')).trim()}\n`;
    }),
  );
  return `main.mjs contains code of these packages.\n\n${texts.join('\n----\n\n')}`;
}
