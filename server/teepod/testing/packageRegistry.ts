import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';

export interface PackageRegistry {
  /** URL that containers can reach: an npm registry, with the Python index at `/simple/`. */
  url: string;
  host: string;
  /** Paths that were requested. */
  requests: readonly string[];
  close(): Promise<void>;
}

interface Published {
  name: string;
  version: string;
  /** Text of the program. */
  program: string;
}

/** Serves one npm package with one program, and one Python package with one, as the public registries do. */
export async function startRegistry(npm: Published, pypi: Published): Promise<PackageRegistry> {
  const [tarball, wheel] = [await tarballOf(npm), wheelOf(pypi)];
  const wheelName = `${moduleOf(pypi)}-${pypi.version}-py3-none-any.whl`;
  const requests: string[] = [];
  const server = createServer((req, res) => {
    const origin = `http://${req.headers.host}`;
    const url = decodeURIComponent(req.url ?? '');
    requests.push(url);
    if (url === `/${npm.name}`) {
      const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
      const dist = { tarball: `${origin}/package.tgz`, integrity };
      const { name, version } = npm;
      const versions = { [version]: { name, version, bin: binOf(npm), dist } };
      res.setHeader('content-type', 'application/json');
      return res.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
    }
    if (url === `/simple/${pypi.name}/`) {
      const digest = createHash('sha256').update(wheel).digest('hex');
      res.setHeader('content-type', 'text/html');
      return res.end(`<!doctype html><a href="/${wheelName}#sha256=${digest}">${wheelName}</a>`);
    }
    if (url === '/package.tgz') return res.end(tarball);
    if (url === `/${wheelName}`) return res.end(wheel);
    return res.writeHead(404).end();
  }).listen(0, '0.0.0.0');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const host = ownAddress();
  return {
    url: `http://${host}:${port}/`,
    host,
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** This machine's address on a network other than its own. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (!found) throw new Error('this machine has no address that containers can reach');
  return found.address;
}

const binOf = ({ name }: Published) => ({ [name.split('/').pop() ?? name]: 'program.mjs' });

async function tarballOf(one: Published): Promise<Buffer> {
  const work = await mkdtemp(path.join(tmpdir(), 'teehouse-npm-package-'));
  try {
    const folder = path.join(work, 'package');
    await mkdir(folder);
    const { name, version } = one;
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name, version, bin: binOf(one) }));
    await writeFile(path.join(folder, 'program.mjs'), one.program, { mode: 0o755 });
    await promisify(execFile)('tar', ['-C', work, '-czf', path.join(work, 'package.tgz'), 'package']);
    return await readFile(path.join(work, 'package.tgz'));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const moduleOf = ({ name }: Published) => name.replaceAll('-', '_');

/** A wheel (PEP 427) whose only module is the program. */
function wheelOf(one: Published): Buffer {
  const [module, info] = [moduleOf(one), `${moduleOf(one)}-${one.version}.dist-info`];
  const files: Record<string, string> = {
    [`${module}.py`]: one.program,
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${one.name}\nVersion: ${one.version}\n`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/entry_points.txt`]: `[console_scripts]\n${one.name} = ${module}:main\n`,
  };
  const names = [...Object.keys(files), `${info}/RECORD`];
  files[`${info}/RECORD`] = names.map((name) => `${name},,\n`).join('');
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))),
  );
}
