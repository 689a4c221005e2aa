import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { librariesOf } from '../../packaging/testing/nodeImage';

const run = promisify(execFile);

/** An image with a program from this machine or Debian's registry, in place of a pulled one. */
export interface ProgramImage {
  name: string;
  /** Debian packages, downloaded and unpacked without being installed. */
  packages?: string[];
  /** Files and folders of this machine, by path in the image. */
  copies?: Readonly<Record<string, string>>;
  /** Symbolic links, by path in the image. */
  links?: Readonly<Record<string, string>>;
  /** Programs in the image, whose libraries are added. */
  programs: string[];
  /** Users besides root, with their IDs. */
  users?: Readonly<Record<string, number>>;
  /** A shell script that starts the program, as the image's entrypoint. */
  entrypoint?: string;
  /** Dockerfile instructions such as `WORKDIR /data`. */
  changes?: string[];
}

const making = new Map<string, Promise<string>>();

/** Builds the image unless the engine has it. @returns its name */
export function ensureProgramImage(host: string, image: ProgramImage): Promise<string> {
  // A changed description gives a different image.
  const version = createHash('sha256').update(JSON.stringify(image)).digest('hex').slice(0, 12);
  const tag = `localhost/teehouse-${image.name}:${version}`;
  const made = making.get(tag) ?? make(host, image, tag);
  making.set(tag, made);
  return made;
}

async function make(host: string, image: ProgramImage, tag: string): Promise<string> {
  const docker = (...args: string[]) => run('docker', ['-H', host, ...args], { timeout: 120_000 });
  if (await docker('image', 'inspect', tag).then(Boolean, () => false)) return tag;
  const work = await mkdtemp(path.join(tmpdir(), `teehouse-${image.name}-`));
  const root = path.join(work, 'root');
  try {
    await makeBase(root, image);
    const libraries = await unpack(work, root, image.packages ?? []);
    for (const [to, from] of Object.entries(image.copies ?? {}))
      await cp(from, path.join(root, to), { recursive: true, dereference: true });
    for (const [at, to] of Object.entries(image.links ?? {})) {
      await mkdir(path.dirname(path.join(root, at)), { recursive: true });
      await symlink(to, path.join(root, at));
    }
    const programs = image.programs.map((program) => path.join(root, program));
    await addLibraries(root, programs, libraries);
    const tar = path.join(work, 'image.tar');
    await run('tar', ['-C', root, '-cf', tar, '--owner=0', '--group=0', '.']);
    const start = image.entrypoint === undefined ? [] : ['ENTRYPOINT ["/entrypoint.sh"]'];
    const changes = ['ENV PATH=/usr/local/bin:/usr/bin:/usr/sbin:/bin', ...start, ...(image.changes ?? [])];
    await docker('import', ...changes.flatMap((change) => ['--change', change]), tar, tag);
    return tag;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function makeBase(root: string, { users = {}, entrypoint }: ProgramImage): Promise<void> {
  for (const folder of ['bin', 'etc', 'tmp', 'run', 'proc', 'sys', 'dev', 'usr/bin', 'usr/local/bin'])
    await mkdir(path.join(root, folder), { recursive: true });
  await chmod(path.join(root, 'tmp'), 0o1777);
  await chmod(path.join(root, 'run'), 0o1777);
  await cp('/bin/busybox', path.join(root, 'bin/busybox'));
  for (const applet of (await run('/bin/busybox', ['--list'])).stdout.split('\n'))
    if (applet !== '' && applet !== 'busybox') await symlink('busybox', path.join(root, 'bin', applet));
  const ids = Object.entries({ root: 0, ...users });
  const passwd = ids.map(([name, id]) => `${name}:x:${id}:${id}::/:/bin/sh\n`);
  await writeFile(path.join(root, 'etc/passwd'), passwd.join(''));
  await writeFile(path.join(root, 'etc/group'), ids.map(([name, id]) => `${name}:x:${id}:\n`).join(''));
  if (entrypoint !== undefined)
    await writeFile(path.join(root, 'entrypoint.sh'), `#!/bin/sh\n${entrypoint}`, { mode: 0o755 });
}

/** @returns the folders of the packages' libraries */
async function unpack(work: string, root: string, packages: string[]): Promise<string[]> {
  if (packages.length === 0) return [];
  const folder = path.join(work, 'packages');
  await mkdir(folder);
  const download = () => run('apt-get', ['download', '-q', ...packages], { cwd: folder, timeout: 60_000 });
  await download().catch(async () => {
    // The lists are missing or older than the registry's.
    await run('apt-get', ['update', '-q'], { timeout: 60_000 });
    await download();
  });
  const unpacked = path.join(work, 'unpacked');
  for (const file of await readdir(folder)) await run('dpkg-deb', ['-x', path.join(folder, file), unpacked]);
  await cp(path.join(unpacked, 'usr'), path.join(root, 'usr'), { recursive: true, verbatimSymlinks: true });
  const { stdout } = await run('find', [
    path.join(root, 'usr/lib'),
    '-name',
    '*.so*',
    '-printf',
    '%h\n',
  ]).catch(() => ({ stdout: '' }));
  return [...new Set(stdout.split('\n').filter(Boolean))];
}

/** Copies what the programs load from this machine; files from packages are already in place. */
async function addLibraries(root: string, programs: string[], folders: string[]): Promise<void> {
  for (const library of await librariesOf(programs, folders)) {
    if (library.startsWith(root)) continue;
    const to = path.join(root, library);
    await mkdir(path.dirname(to), { recursive: true });
    await cp(library, to, { dereference: true });
  }
}
