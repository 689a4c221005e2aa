import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { ownValue } from '../../console/lib/ownValue';
import { countersLine, endLine, header, NOTE, ROW, tableLine, type Header } from './backupFormat';
import { CommandError } from './io';

/** A line of a backup between its header and its end. */
type BackupPart =
  | { kind: 'table'; table: string; columns: string[] }
  /** The JSON of one row, unparsed. */
  | { kind: 'row'; row: string }
  | { kind: 'counters'; counters: Record<string, string | null> };

export interface BackupSurvey {
  head: Header;
  /** Row counts per table. */
  counts: Record<string, number>;
  /** Bytes of the uncompressed text. */
  bytes: number;
}

export const damaged = () =>
  new CommandError("This isn't a Teehouse backup, or it is damaged. Nothing was changed.");

export async function readHeader(file: string): Promise<Header> {
  for await (const line of linesOf(file)) return headerOf(line);
  throw damaged();
}

/**
 * Yields the lines after the header. Throws at the end if the row count doesn't match the file's, so the caller
 * must be able to roll back.
 */
export async function* partsOf(file: string): AsyncGenerator<BackupPart> {
  const counts: Record<string, number> = {};
  let table: string | undefined;
  let ended: Record<string, number> | undefined;
  let first = true;
  for await (const line of linesOf(file)) {
    if (first) {
      headerOf(line);
      first = false;
      continue;
    }
    if (line.startsWith(ROW)) {
      if (table === undefined) throw damaged();
      counts[table] = (ownValue(counts, table) ?? 0) + 1;
      yield { kind: 'row', row: line.slice(1) };
      continue;
    }
    const value: unknown = parseNote(line);
    const begun = tableLine.safeParse(value);
    const counters = countersLine.safeParse(value);
    const end = endLine.safeParse(value);
    if (begun.success) {
      ({ table } = begun.data);
      counts[table] = 0;
      yield { kind: 'table', ...begun.data };
    } else if (counters.success && table !== undefined) yield { kind: 'counters', ...counters.data };
    else if (end.success) ended = end.data.end;
    else throw damaged();
  }
  if (!ended || JSON.stringify(ended) !== JSON.stringify(counts))
    throw new CommandError('The backup is incomplete. Nothing was changed.');
}

/** Reads a backup to its end without a database. Throws if it is damaged or incomplete. */
export async function surveyBackup(file: string): Promise<BackupSurvey> {
  const head = await readHeader(file);
  const counts: Record<string, number> = {};
  let table = '';
  let bytes = 0;
  for await (const part of partsOf(file)) {
    if (part.kind === 'table') counts[(table = part.table)] = 0;
    else if (part.kind === 'row') {
      counts[table] = (ownValue(counts, table) ?? 0) + 1;
      bytes += part.row.length;
    }
  }
  return { head, counts, bytes };
}

function headerOf(line: string): Header {
  const head = header.safeParse(parseNote(line));
  if (!head.success) throw damaged();
  return head.data;
}

function parseNote(line: string): unknown {
  if (!line.startsWith(NOTE)) throw damaged();
  try {
    return JSON.parse(line.slice(1));
  } catch {
    throw damaged();
  }
}

/** Splits at `\n` only: readline also splits at Unicode line breaks, which a row may contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const raw = createReadStream(file);
  const text = createGunzip();
  raw.on('error', (error) => text.destroy(error));
  raw.pipe(text).setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new CommandError(`${file} does not exist.`);
    if (code?.startsWith('Z_')) throw damaged();
    throw error;
  } finally {
    raw.destroy();
    text.destroy();
  }
  if (rest !== '') throw damaged();
}
