import { randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync, rmSync, utimesSync } from 'node:fs';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';

/**
 * Records which process supervises a data directory. PostgreSQL guards its files itself; this lock names the
 * holder in errors and lets a command find out whether a server is running.
 */

const Holder = z.object({
  pid: z.number().int(),
  /** Start time of that process in clock ticks: distinguishes it from a later process with the same ID. */
  started: z.string(),
  /** Boot and PID namespace in which `pid` is valid. */
  space: z.string(),
  kind: z.enum(['server', 'command']),
  /** The holder's name in messages: "the server", "teehouse backup". */
  name: z.string(),
});
export type Holder = z.infer<typeof Holder>;

const BEAT_MS = 3_000;
/** A holder in another container can't be looked up, so it counts as dead after this much silence. */
const SILENT_MS = 15_000;
const TURN_MS = 5_000;

export type Acquired = { release(): Promise<void> } | { heldBy: Holder };

/** Acquires the lock or returns its holder. A holder that died, even by kill -9, does not count. */
export async function acquireLock(file: string, kind: Holder['kind'], name: string): Promise<Acquired> {
  const me: Holder = { pid: process.pid, started: startOf(process.pid) ?? '', space: space(), kind, name };
  const mine = JSON.stringify(me);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, mine, { mode: 0o644 });
  try {
    for (;;) {
      if (await linked(draft, file)) return hold(file, mine);
      const text = await readFile(file, 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      const holder = parse(text);
      if (holder && (await alive(holder, file))) return { heldBy: holder };
      await removeDead(file, text, draft);
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Returns who acquired a lock last and didn't release it, dead or alive; undefined if nobody. */
export const readHolder = async (file: string): Promise<Holder | undefined> =>
  parse(await readFile(file, 'utf8').catch(() => ''));

/**
 * Removes a dead holder's lock. Serialized, and only while the file is still that holder's: otherwise a process
 * that read the dead holder's name could remove the lock of a third one that has since taken over.
 */
async function removeDead(file: string, text: string, draft: string): Promise<void> {
  const turn = `${file}.takeover`;
  const now = new Date();
  await utimes(draft, now, now);
  if (!(await linked(draft, turn))) {
    // A turn takes microseconds; an old file was left by a process killed in the middle.
    const since = await stat(turn).catch(() => undefined);
    if (since && Date.now() - since.mtimeMs > TURN_MS) await rm(turn, { force: true });
    await wait(5);
    return;
  }
  try {
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) await rm(file, { force: true });
  } finally {
    await rm(turn, { force: true });
  }
}

function hold(file: string, mine: string): { release(): Promise<void> } {
  const beat = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(file, now, now);
    } catch {
      // DATA_DIR was removed; there is nothing left to guard.
    }
  }, BEAT_MS);
  beat.unref();
  const remove = () => {
    try {
      if (readFileSync(file, 'utf8') === mine) rmSync(file);
    } catch {
      // Already gone.
    }
  };
  process.once('exit', remove);
  return {
    async release() {
      clearInterval(beat);
      process.off('exit', remove);
      remove();
    },
  };
}

async function linked(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return false;
      throw error;
    },
  );
}

function parse(text: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function alive(holder: Holder, file: string): Promise<boolean> {
  if (holder.space === space()) return startOf(holder.pid) === holder.started;
  const s = await stat(file).catch(() => undefined);
  return s !== undefined && Date.now() - s.mtimeMs < SILENT_MS;
}

/** Field 22 of /proc/pid/stat (proc(5)); the command name before it may contain spaces and parentheses. */
function startOf(pid: number): string | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function space(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return 'unknown';
  }
}
