/** A CVM's serial, stdout and stderr files: bounded, and can be followed. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { cutWhole } from '../../console/lib/texts/cutWhole';

export const CHANNELS = ['serial', 'stdout', 'stderr'] as const;
export type Channel = (typeof CHANNELS)[number];

/** dstack-vmm rotates at 4 MB and serves the live file only. */
const ROTATE_BYTES = 4 * 1024 * 1024;
const BACKUPS = 3;
const MAX_LINE = 8 * 1024;

export class VmLog {
  readonly #sizes = new Map<Channel, number>();
  readonly #waiting = new Set<() => void>();
  #closed = false;

  constructor(readonly dir: string) {}

  path(channel: Channel): string {
    return join(this.dir, `${channel}.log`);
  }

  /**
   * Synchronous, so that lines written before a crash survive it. Never throws: a full disk must not stop a
   * boot.
   */
  write(channel: Channel, line: string): void {
    const text = `${line.length > MAX_LINE ? `${cutWhole(line, MAX_LINE)}…` : line}\n`;
    try {
      const size = this.#sizes.get(channel) ?? this.#sizeOf(channel);
      const bytes = Buffer.byteLength(text);
      const rotate = size + bytes > ROTATE_BYTES;
      if (rotate) this.#rotate(channel);
      appendFileSync(this.path(channel), text, { mode: 0o600 });
      this.#sizes.set(channel, (rotate ? 0 : size) + bytes);
    } catch {
      return;
    }
    this.#wake();
  }

  separator(): void {
    this.write('serial', `===== boot @ ${new Date().toISOString()} =====`);
  }

  /** Ends followers after the CVM is removed. */
  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /**
   * Yields the last `lines` lines, then new ones with `follow`, and a heartbeat line after each `heartbeatMs`
   * of silence.
   */
  async *read(
    channel: Channel,
    options: { lines: number; follow: boolean; ansi: boolean; heartbeatMs: number },
    signal: AbortSignal,
  ): AsyncGenerator<string> {
    const clean = (text: string): string => (options.ansi ? text : stripVTControlCharacters(text));
    let generation = inode(this.path(channel));
    const content = await readFile(this.path(channel), 'utf8').catch(() => '');
    let offset = Buffer.byteLength(content);
    const tail = lastLines(content, options.lines);
    if (tail) yield clean(tail);
    let quietSince = Date.now();
    while (options.follow && !signal.aborted && !this.#closed) {
      const now = inode(this.path(channel));
      if (now !== generation) {
        // Lines a slow reader hasn't seen yet are now in the first backup.
        const old = `${this.path(channel)}.1`;
        while (generation !== 0 && inode(old) === generation) {
          const rest = await readFrom(old, offset);
          if (rest.length === 0) break;
          offset += rest.length;
          yield clean(rest.toString('utf8'));
        }
        generation = now;
        offset = 0;
      }
      const more = await readFrom(this.path(channel), offset);
      if (more.length > 0) {
        offset += more.length;
        quietSince = Date.now();
        yield clean(more.toString('utf8'));
        continue;
      }
      const left = quietSince + options.heartbeatMs - Date.now();
      if (left <= 0) {
        quietSince = Date.now();
        yield '[vmm heartbeat]\n';
        continue;
      }
      await this.#changed(left, signal);
    }
  }

  #changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted || this.#closed) done();
    });
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }

  #sizeOf(channel: Channel): number {
    mkdirSync(this.dir, { recursive: true });
    return statSync(this.path(channel), { throwIfNoEntry: false })?.size ?? 0;
  }

  #rotate(channel: Channel): void {
    const path = this.path(channel);
    for (let index = BACKUPS; index > 0; index--) {
      const from = index === 1 ? path : `${path}.${index - 1}`;
      if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${index}`);
    }
  }
}

function inode(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

function lastLines(content: string, lines: number): string {
  if (lines <= 0) return '';
  let at = content.endsWith('\n') ? content.length - 1 : content.length;
  for (let count = 0; count < lines && at >= 0; count++)
    at = at === 0 ? -1 : content.lastIndexOf('\n', at - 1);
  return content.slice(at + 1);
}

const PIECE = 64 * 1024;

async function readFrom(path: string, offset: number): Promise<Buffer> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return Buffer.alloc(0);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(PIECE), 0, PIECE, offset);
    // Whole lines only, so that no multi-byte character or escape sequence is cut.
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10);
    return buffer.subarray(0, end >= 0 ? end + 1 : bytesRead === PIECE ? PIECE : 0);
  } finally {
    await file.close();
  }
}
