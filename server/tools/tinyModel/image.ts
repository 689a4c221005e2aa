import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { lockSubset, type LockedPackages } from '../../packaging/lockSubset';
import { ensureProgramImage } from '../../teepod/testing/programImage';
import { ROOT } from '../run';

/** Port on which a holding server waits for a request before it loads its model. */
const HOLD_PORT = 8081;

const ENGINE = '@node-llama-cpp/linux-x64';
const BUNDLER = path.join(ROOT, 'server/tools/tinyModel/bundle.ts');
const BUNDLE = path.join(ROOT, '.cache/tiny-model/main.mjs');
/** The package's files without llama.cpp's sources, which are most of it. */
const WITHOUT_SOURCES = [
  'dist',
  'package.json',
  ...['binariesGithubRelease', 'llama.cpp.info', 'package'].map((name) => `llama/${name}.json`),
];
/** Packages the engine needs only for compiling itself, and for types. */
const UNUSED = ['cmake-js', 'typescript'];

/**
 * Builds an image that serves the tiny model like llama.cpp's own image serves others: same options, on the port
 * given by them. It consists of this machine's Node and curl, the package's binary and our server.
 *
 * @param holds whether loading stops halfway until `continueLoading`
 * @returns its name
 */
export async function ensureTinyModelImage(host: string, { holds = false } = {}): Promise<string> {
  // In a process of its own: the threads that the bundler leaves behind have blocked a test runner for good.
  await promisify(execFile)(process.execPath, ['--import', 'tsx', BUNDLER, BUNDLE], { cwd: ROOT });
  const { packages } = JSON.parse(await readFile(path.join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: LockedPackages;
  };
  const needed = lockSubset(packages, ['node-llama-cpp', ENGINE]);
  const source = createHash('sha256')
    .update(await readFile(BUNDLE))
    .update(JSON.stringify(needed));
  const copies: Record<string, string> = {
    '/usr/local/bin/node': process.execPath,
    // Called by the health check in the Compose file of "Deploy a model".
    '/usr/bin/curl': '/usr/bin/curl',
    '/app/main.mjs': BUNDLE,
  };
  for (const [folder, { optional }] of Object.entries(needed)) {
    const name = folder.slice('node_modules/'.length);
    if (UNUSED.includes(name) || (optional === true && name !== ENGINE)) continue;
    const parts = name === 'node-llama-cpp' ? WITHOUT_SOURCES : [''];
    for (const part of parts) copies[path.join('/app', folder, part)] = path.join(ROOT, folder, part);
  }
  return ensureProgramImage(host, {
    name: 'tiny-model',
    copies,
    programs: [
      '/usr/local/bin/node',
      '/usr/bin/curl',
      `/app/node_modules/${ENGINE}/bins/linux-x64/llama-addon.node`,
    ],
    entrypoint: 'exec node /app/main.mjs "$@"\n',
    changes: [
      'WORKDIR /app',
      `LABEL teehouse.weights="random, for testing" teehouse.source=${source.digest('hex')}`,
      ...(holds ? [`ENV HOLD_LOADING=${HOLD_PORT}`] : []),
    ],
  });
}

/** Lets a holding container load its model. */
export async function continueLoading(host: string, container: string): Promise<void> {
  await promisify(execFile)('docker', [
    '-H',
    host,
    'exec',
    container,
    'curl',
    '-sf',
    `http://localhost:${HOLD_PORT}/`,
  ]);
}
