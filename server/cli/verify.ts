import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { formatMicros } from '../../console/lib/billing/money';
import { verifyChains, type Anchor } from '../db/audit/auditVerify';
import { checkBooks } from '../db/billing/checkBooks';
import { verifyLedgers } from '../db/billing/ledgerVerify';
import type { Db } from '../db/core/client';
import { withDatabase } from './database';
import { CommandError, EXIT, UsageError, type Cli } from './io';
import { parseOptions } from './options';
import { verifyExport } from './verifyExport';

/** `teehouse verify`: checks that audit log and ledger are unchanged and add up. Exits with 1 if they don't. */
export async function verifyCommand(cli: Cli, args: string[]): Promise<number> {
  const { since, file, filtered } = parseOptions(args, { since: 'value', file: 'value', filtered: 'flag' });
  if (file !== undefined && since !== undefined)
    throw new UsageError('--file verifies an export and --since the database. Use one of them.');
  if (filtered && file === undefined) throw new UsageError('--filtered applies to an export. Add --file.');
  return file === undefined ? await verifyDatabase(cli, since) : await verifyExport(cli, file, filtered);
}

async function verifyDatabase(cli: Cli, since: string | undefined): Promise<number> {
  const anchors = since === undefined ? undefined : await readAnchors(since);
  return withDatabase(cli, 'verify', async ({ db }) => {
    let chains = 0;
    let entries = 0;
    let failed = 0;
    for await (const { name, slug, broken, ...report } of verifyChains(db, anchors)) {
      const of = slug === null ? '' : ` (${slug})`;
      chains += 1;
      entries += report.entries;
      if (broken) {
        failed += 1;
        cli.out(`${name}${of}: BROKEN at entry ${broken.seq}, ${broken.kind}: ${broken.message}`);
      } else cli.out(`${name}${of}: ${report.entries} ${entriesWord(report.entries)}, last ${report.hash}`);
    }
    cli.err(
      failed === 0
        ? `${entries} ${entriesWord(entries)} of ${chains} chain${chains === 1 ? '' : 's'}: unchanged.`
        : `${failed} of ${chains} chains ${failed === 1 ? 'is' : 'are'} broken.`,
    );
    const booksHold = await verifyBooks(cli, db);
    return failed === 0 && booksHold ? EXIT.ok : EXIT.failed;
  });
}

/** Walks every team's ledger, then sums it again. @returns whether nothing was changed and everything adds up */
async function verifyBooks(cli: Cli, db: Db): Promise<boolean> {
  let transactions = 0;
  let failed = 0;
  for await (const { name, slug, broken, ...report } of verifyLedgers(db)) {
    transactions += report.transactions;
    if (broken) {
      failed += 1;
      cli.out(
        `ledger of ${name} (${slug}): BROKEN at transaction ${broken.seq}, ${broken.kind}: ${broken.message}`,
      );
    } else
      cli.out(
        `ledger of ${name} (${slug}): ${report.transactions} ${transactionsWord(report.transactions)}, last ${report.hash}`,
      );
  }
  const differing = await checkBooks(db);
  for (const { team_id, what, expected, found } of differing)
    cli.out(`team ${team_id}: the ${what} is ${formatMicros(found)}, not ${formatMicros(expected)}`);
  cli.err(
    failed === 0 && differing.length === 0
      ? `${transactions} ledger ${transactionsWord(transactions)}: unchanged, and the sums are correct.`
      : `The ledger was changed or doesn't add up: ${failed} broken chains, ${differing.length} differing sums.`,
  );
  return failed === 0 && differing.length === 0;
}

const transactionsWord = (n: number) => (n === 1 ? 'transaction' : 'transactions');

const entriesWord = (n: number) => (n === 1 ? 'entry' : 'entries');

/** Output of an earlier run: an attacker who rewrites a whole chain with its hashes can't reach that file. */
async function readAnchors(file: string): Promise<Map<string, Anchor>> {
  const text = await readFile(path.resolve(file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Can't read ${file}: ${error.code ?? 'no such file'}.`);
  });
  const anchors = new Map<string, Anchor>();
  for (const [, name = '', seq = '', hash = ''] of text.matchAll(
    /^(\S+)(?: \([^)]*\))?: (\d+) entr(?:y|ies), last ([0-9a-f]{64})$/gm,
  ))
    anchors.set(name, { seq: Number(seq), hash });
  if (anchors.size === 0) throw new CommandError(`${file} isn't output of \`teehouse verify\`.`);
  return anchors;
}
