import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, mkdtemp, readFile, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/**
 * Where the supervised PostgreSQL keeps its files, and which user runs it. PostgreSQL refuses to run as root,
 * so root runs it as `nobody`; then every directory above its files must be accessible to that user, which
 * /root and many homes are not.
 */

export interface RunAs {
  uid: number;
  gid: number;
}

export interface Place {
  /** PostgreSQL's own data directory. */
  data: string;
  /** Directory of the unix socket, mode 0700: anyone who can enter it is a database superuser. */
  sockets: string;
  /** Undefined: the user of this process. */
  runAs: RunAs | undefined;
  /** Set only when the data can't live inside DATA_DIR: why, and where it is. */
  note: string | undefined;
}

const NOBODY: RunAs = { uid: 65534, gid: 65534 };
const OUTSIDE = '/var/lib/teehouse';
/** sizeof(sun_path) - 1, less the file name PostgreSQL adds. */
const MAX_SOCKET_DIR = 107 - '/.s.PGSQL.5432'.length;

const Record = z.object({
  engine: z.literal('postgresql'),
  major: z.number().int().optional(),
  /** Relative to DATA_DIR when inside it, so that DATA_DIR can be moved. */
  data: z.string(),
  sockets: z.string(),
  note: z.string().optional(),
});
export type PlaceRecord = z.infer<typeof Record>;

const recordFile = (dataDir: string) => path.join(dataDir, 'postgres.json');

/** Returns what an earlier start recorded; undefined when there was none. */
export async function readRecord(dataDir: string): Promise<PlaceRecord | undefined> {
  const file = recordFile(dataDir);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return Record.parse(JSON.parse(text));
  } catch {
    throw new Error(`${file} is damaged. It says where the database is: restore it from a backup.`);
  }
}

export async function writeRecord(dataDir: string, record: PlaceRecord): Promise<void> {
  const file = recordFile(dataDir);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o644, flush: true });
  await rename(draft, file);
}

/** Finds or creates the place for `dataDir` (absolute). The caller holds the lock. */
export async function preparePlace(dataDir: string): Promise<Place> {
  const root = process.getuid?.() === 0;
  await mkdir(dataDir, { recursive: true, mode: root ? 0o711 : 0o700 });
  const known = await readRecord(dataDir);
  const inside = path.join(dataDir, 'postgres');
  let data = known ? path.resolve(dataDir, known.data) : inside;
  let note = known?.note;
  const exists = existsSync(data);
  if (known?.major !== undefined && !exists)
    throw new Error(
      `The database of ${dataDir} should be in ${data}, which is missing. Restore it, or remove ${recordFile(dataDir)} to start with an empty one.`,
    );

  const runAs = await chooseUser(data, exists, root);
  if (runAs) {
    await openToOthers(dataDir);
    const closed = await firstClosedParent(data, runAs);
    if (closed && exists)
      throw new Error(
        `PostgreSQL runs as uid ${runAs.uid} and cannot reach ${data}, because ${closed} is closed to it. Move DATA_DIR, open ${closed} with chmod o+x, or start the server as an ordinary user.`,
      );
    if (closed) {
      data = path.join(OUTSIDE, randomBytes(6).toString('hex'), 'postgres');
      note = `Not inside ${dataDir}, because PostgreSQL runs as uid ${runAs.uid} and ${closed} is closed to it. Back up both directories.`;
      await mkdir(path.dirname(data), { recursive: true, mode: 0o755 });
    }
  }
  const sockets = await prepareSockets(dataDir, known?.sockets, runAs);
  const kept = path.relative(dataDir, data);
  await writeRecord(dataDir, {
    engine: 'postgresql',
    ...(known?.major !== undefined && { major: known.major }),
    data: kept.startsWith('..') ? data : kept,
    sockets,
    ...(note && { note }),
  });
  return { data, sockets, runAs, note };
}

async function chooseUser(data: string, exists: boolean, root: boolean): Promise<RunAs | undefined> {
  if (exists) {
    const owner = await stat(data);
    if (root) return owner.uid === 0 ? NOBODY : { uid: owner.uid, gid: owner.gid };
    if (owner.uid !== process.getuid?.())
      throw new Error(
        `${data} belongs to uid ${owner.uid}, not to this user (uid ${process.getuid?.()}): the server was started as another user before. Start it as that user, or as root, or chown the directory.`,
      );
  }
  return root ? NOBODY : undefined;
}

async function openToOthers(dir: string): Promise<void> {
  const { mode } = await stat(dir);
  if ((mode & 0o011) !== 0o011) await chmod(dir, (mode & 0o7777) | 0o011);
}

/** Returns the first directory above `file` that `user` can't traverse; undefined when all are accessible. */
export async function firstClosedParent(file: string, user: RunAs): Promise<string | undefined> {
  const parents: string[] = [];
  for (let dir = path.dirname(file); ; dir = path.dirname(dir)) {
    parents.unshift(dir);
    if (dir === path.dirname(dir)) break;
  }
  for (const dir of parents) {
    const s = await stat(dir).catch(() => undefined);
    if (!s) return undefined;
    const bit = s.uid === user.uid ? 0o100 : s.gid === user.gid ? 0o010 : 0o001;
    if ((s.mode & bit) === 0) return dir;
  }
  return undefined;
}

async function prepareSockets(
  dataDir: string,
  known: string | undefined,
  runAs: RunAs | undefined,
): Promise<string> {
  const owner = runAs ?? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const usable = async (dir: string) => {
    const s = await lstat(dir).catch(() => undefined);
    return s?.isDirectory() === true && s.uid === owner.uid && (s.mode & 0o077) === 0;
  };
  const near = path.join(dataDir, 'sockets');
  const fits = Buffer.byteLength(near) <= MAX_SOCKET_DIR;
  if (fits && !(runAs && (await firstClosedParent(near, runAs)))) {
    await mkdir(near, { recursive: true, mode: 0o700 });
    if (!(await usable(near))) {
      await chmod(near, 0o700);
      if (runAs) await chown(near, owner.uid, owner.gid);
    }
    return near;
  }
  // A random name that did not exist before: in /tmp anyone could have created a fixed one first.
  if (known && known !== near && (await usable(known))) return known;
  const far = await mkdtemp('/tmp/teehouse-');
  if (runAs) await chown(far, owner.uid, owner.gid);
  return far;
}
