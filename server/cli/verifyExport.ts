import { createReadStream } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { formatMicros } from '../../console/lib/billing/money';
import { ChainCheck, type ChainBreak } from '../domain/audit/auditChain';
import { CommandError, EXIT, type Cli } from './io';
import { counted } from '../../console/lib/texts/count';

const exported = z.object({
  chain_kind: z.enum(['audit', 'ledger']).default('audit'),
  seq: z.number().int(),
  chain: z.string(),
  prev_hash: z.string().regex(/^[0-9a-f]{64}$/),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  record: z.string(),
});

/** An export needs no database: each line includes the hashed text. */
export async function verifyExport(cli: Cli, file: string, gaps: boolean): Promise<number> {
  let check: ChainCheck | undefined;
  let chain = '';
  let kind = '';
  const ledger = new LedgerSums();
  let lines = 0;
  let broken: ChainBreak | null = null;
  for await (const line of linesOf(file)) {
    lines += 1;
    const entry = exportedLine(line, lines);
    if (check && (entry.chain !== chain || entry.chain_kind !== kind))
      throw new CommandError(`Line ${lines} belongs to another chain, ${entry.chain}.`);
    check ??= new ChainCheck(entry.chain, entry.chain_kind);
    ({ chain, chain_kind: kind } = entry);
    broken =
      check.next(
        {
          seq: entry.seq,
          record: entry.record,
          prev_hash: Buffer.from(entry.prev_hash, 'hex'),
          hash: Buffer.from(entry.hash, 'hex'),
        },
        { gaps },
      ) ??
      (kind === 'ledger'
        ? ledger.next(entry.seq, entry.record)
        : saysItsRecord(line)
          ? null
          : otherText(entry.seq));
    if (broken) break;
  }
  if (!check) throw new CommandError(`${file} has no entries.`);
  const of = kind === 'ledger' ? `ledger of ${chain}` : chain;
  if (broken) {
    cli.out(`${of}: BROKEN at entry ${broken.seq}, ${broken.kind}: ${broken.message}`);
    return EXIT.failed;
  }
  cli.out(`${of}: ${counted(lines, ['entry', 'entries'])}, last ${check.hash.toString('hex')}`);
  // A chain's end may be cut off undetected, so print the balance for comparison.
  if (kind === 'ledger') cli.out(ledger.text());
  return EXIT.ok;
}

const booked = z.object({
  entries: z.array(z.object({ account: z.string(), amount: z.number().int() })).min(2),
});

/** Recomputes an export's ledger totals. */
class LedgerSums {
  #prepaid = 0;
  #credits = 0;

  next(seq: number, record: string): ChainBreak | null {
    const { data } = booked.safeParse(parsed(record));
    const total = data?.entries.reduce((sum, { amount }) => sum + amount, 0);
    if (total !== 0)
      return { seq, kind: 'changed', message: `the entries of transaction ${seq} don't sum to zero` };
    for (const { account, amount } of data?.entries ?? []) {
      if (account === 'prepaid') this.#prepaid += amount;
      if (account === 'credits') this.#credits += amount;
    }
    return null;
  }

  text = () => `prepaid ${formatMicros(this.#prepaid)}, credits ${formatMicros(this.#credits)}`;
}

function exportedLine(line: string, number: number): z.infer<typeof exported> {
  const checked = exported.safeParse(parsed(line));
  if (!checked.success) throw new CommandError(`Line ${number} isn't a valid jsonl export line.`);
  return checked.data;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

const otherText = (seq: number): ChainBreak => ({
  seq,
  kind: 'changed',
  message: `the line of entry ${seq} differs from its record`,
});

/** Compares a line's readable fields with the record that its hash covers. */
function saysItsRecord(line: string): boolean {
  const shown = parsed(line) as Record<string, unknown>;
  const record = parsed(String(shown.record)) as Record<string, unknown>;
  const actor = shown.actor as Record<string, unknown> | null;
  const target = shown.target as Record<string, unknown> | null;
  const token = shown.token as Record<string, unknown> | null;
  const same: [unknown, unknown][] = [
    [shown.seq, record.seq],
    [Date.parse(String(shown.at)), Math.floor(Number(record.at_us) / 1000)],
    [shown.action, record.action],
    [actor?.kind, record.actor_kind],
    [actor?.id ?? null, record.actor_id ?? null],
    [actor?.username ?? null, record.actor_label ?? null],
    [shown.on_behalf_of ?? null, record.on_behalf_of_id ?? null],
    [target?.kind ?? null, record.target_kind ?? null],
    [target?.id ?? null, record.target_id ?? null],
    [token?.id ?? null, record.token_id ?? null],
    [shown.before ?? null, record.before ?? null],
    [shown.after ?? null, record.after ?? null],
    [shown.ip ?? null, record.ip ?? null],
    [shown.request_id ?? null, record.request_id ?? null],
  ];
  return same.every(([a, b]) => isDeepStrictEqual(a, b));
}

/** Splits at `\n` only: readline also splits at Unicode line breaks, which an entry may contain. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of createReadStream(path.resolve(file), 'utf8') as AsyncIterable<string>) {
      const parts = (rest + chunk).split('\n');
      rest = parts.pop() ?? '';
      yield* parts;
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new CommandError(`Can't read ${file}: ${code}.`);
  }
  if (rest !== '') yield rest;
}
