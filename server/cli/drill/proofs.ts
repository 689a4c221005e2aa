import { sql } from 'kysely';
import { formatMicros } from '../../../console/lib/billing/money';
import { ownValue } from '../../../console/lib/ownValue';
import { counted } from '../../../console/lib/texts/count';
import { verifyChains } from '../../db/audit/auditVerify';
import { checkBooks } from '../../db/billing/checkBooks';
import { checkDocuments } from '../../db/billing/books/checkDocuments';
import { verifyLedgers } from '../../db/billing/ledgerVerify';
import { withTransaction, type Db } from '../../db/core/client';
import {
  SEALED_COLUMNS,
  takeSealedValues,
  type SealedColumn,
  type SealedValue,
} from '../../db/core/sealedColumns';
import { createSeal, type Seal } from '../../domain/core/seal';
import { secretCheck } from '../backupFormat';
import { fail, ok, warn, type Finding } from '../checks/finding';

/** Checks of a restored backup. None reveals a sealed value. */

const OLD_BACKUP = 'Try an older backup, and find out what changed this one: its storage or the database.';
const MAX_NAMED = 5;

export interface Secrets {
  /** Undefined if none is configured. */
  first: string | undefined;
  second: string | undefined;
}

/** Checks that the backup was made with the configured secret. */
export function proveSecret({ first, second }: Secrets, secret_check: string): Finding {
  const advice = 'Set TEEHOUSE_SECRET to the secret that was in use when the backup was made.';
  if (first === undefined)
    return fail('secret', "TEEHOUSE_SECRET isn't set, and DATA_DIR/secret can't be read", advice);
  if (secretCheck(first) === secret_check) return ok('secret', 'matches the backup');
  if (second !== undefined && secretCheck(second) === secret_check)
    return ok('secret', 'TEEHOUSE_SECOND_SECRET matches the backup');
  return fail('secret', "the configured secret isn't the backup's", advice);
}

/** Checks that each row of the file arrived. Runs before later migrations, which may add rows. */
export async function proveRows(db: Db, expected: Readonly<Record<string, number>>): Promise<Finding> {
  const lost: string[] = [];
  for (const [table, n] of Object.entries(expected)) {
    const found = await countRows(db, table);
    if (found !== n) lost.push(`${table} (${found} of ${n})`);
  }
  const total = Object.values(expected).reduce((sum, n) => sum + n, 0);
  return lost.length === 0
    ? ok(
        'rows',
        `${counted(total, ROWS)} in ${counted(Object.keys(expected).length, ['table', 'tables'])}: all restored`,
      )
    : fail('rows', `not all were restored: ${someOf(lost)}`, OLD_BACKUP);
}

const ROWS = ['row', 'rows'] as const;

/** Checks that the secrets open every sealed value. */
export async function proveSealed(db: Db, { first, second }: Secrets): Promise<Finding> {
  const seal =
    first === undefined
      ? null
      : createSeal(Buffer.from(first), second === undefined ? undefined : Buffer.from(second));
  const closed: string[] = [];
  let total = 0;
  for (const column of SEALED_COLUMNS) {
    const { values, failed } = await openColumn(db, seal, column);
    total += values;
    if (failed > 0) closed.push(`${column.table}.${column.column} (${failed} of ${values})`);
  }
  return closed.length === 0
    ? ok(
        'encryption',
        `${counted(total, ['sealed value', 'sealed values'])}: the secret decrypts all of them`,
      )
    : fail(
        'encryption',
        `the secret doesn't decrypt ${closed.join(', ')}`,
        'Restore with the secret these were encrypted with. If the backup was made while the secret was being replaced, also set TEEHOUSE_SECOND_SECRET to the old one.',
      );
}

async function openColumn(db: Db, seal: Seal | null, column: SealedColumn) {
  const done = { values: 0, failed: 0 };
  for (let after: SealedValue['key'] | null = null; ;) {
    const from: SealedValue['key'] | null = after;
    const found: SealedValue[] = await withTransaction(db, (trx) => takeSealedValues(trx, column, from));
    done.values += found.length;
    done.failed += found.filter(({ value }) => !opens(seal, column, value)).length;
    const last = found.at(-1);
    if (!last) return done;
    after = last.key;
  }
}

function opens(seal: Seal | null, { purpose }: SealedColumn, value: string): boolean {
  try {
    return seal !== null && typeof seal.open(purpose, value) === 'string';
  } catch {
    return false;
  }
}

/** Checks the audit log's hash chains, like `teehouse verify`. */
export async function proveAuditLog(db: Db): Promise<Finding> {
  const broken: string[] = [];
  let [chains, entries] = [0, 0];
  for await (const chain of verifyChains(db)) {
    chains += 1;
    entries += chain.entries;
    if (chain.broken) broken.push(`${named(chain)}: ${chain.broken.message}`);
  }
  return broken.length === 0
    ? ok(
        'audit log',
        `${counted(entries, ['entry', 'entries'])} of ${counted(chains, ['chain', 'chains'])}: unchanged`,
      )
    : fail('audit log', someOf(broken, '; '), OLD_BACKUP);
}

/** Checks that every team's ledger is intact and adds up, like `teehouse verify`. */
export async function proveLedger(db: Db): Promise<Finding> {
  const wrong: string[] = [];
  let transactions = 0;
  for await (const ledger of verifyLedgers(db)) {
    transactions += ledger.transactions;
    if (ledger.broken) wrong.push(`${named(ledger)}: ${ledger.broken.message}`);
  }
  for (const { team_id, what, expected, found } of await checkBooks(db))
    wrong.push(`team ${team_id}: the ${what} is ${formatMicros(found)}, not ${formatMicros(expected)}`);
  return wrong.length === 0
    ? ok('ledger', `${counted(transactions, ['transaction', 'transactions'])}: unchanged, and they add up`)
    : fail('ledger', someOf(wrong, '; '), OLD_BACKUP);
}

const named = ({ name, slug }: { name: string; slug: string | null }) =>
  slug === null ? name : `${name} (${slug})`;

/** Checks that invoice files exist and match their hashes. @param at when the backup was made */
export async function proveInvoices(db: Db, at: Date): Promise<Finding> {
  const { issued, pdfs, e_invoices, missing, changed, gaps, unrendered } = await checkDocuments(db, at);
  if (changed.length > 0)
    return fail('invoices', `files differ from their hashes: ${someOf(changed)}`, OLD_BACKUP);
  if (gaps.length > 0) return fail('invoices', `numbers are missing in ${someOf(gaps)}`, OLD_BACKUP);
  if (missing.length > 0)
    return fail(
      'invoices',
      `the PDF is missing: ${someOf(missing)}`,
      'If the installation lacks it too, download the invoice there to store it, then make a new backup.',
    );
  const text = `${counted(issued, 'issued')}, with ${counted(pdfs, ['PDF', 'PDFs'])} and ${counted(e_invoices, ['electronic invoice', 'electronic invoices'])} with matching hashes`;
  return unrendered > 0
    ? warn(
        'invoices',
        `${text}; ${counted(unrendered, ['PDF', 'PDFs'])} could not be rendered before the backup`,
        "See the worker's log.",
      )
    : ok('invoices', text);
}

/** Checks that CVM evidence matches its stored hashes. */
export async function proveEvidence(db: Db): Promise<Finding> {
  const { rows } = await sql<{ total: number; changed: number }>`
    select count(*) as total, count(*) filter (where content_hash <> sha256(convert_to(content, 'UTF8'))) as changed
    from evidence`.execute(db);
  const { total, changed } = rows[0] ?? { total: 0, changed: 0 };
  return changed === 0
    ? ok('evidence', `${counted(total, ['record', 'records'])} of CVMs: unchanged`)
    : fail('evidence', `${changed} of ${total} records of CVMs differ from their hashes`, OLD_BACKUP);
}

const COUNTED = ['users', 'teams', 'apps', 'cvms', 'invoices', 'ledger_transactions', 'audit_log'] as const;

/** Row counts of tables whose size an operator knows. */
export async function countMost(db: Db): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of COUNTED) counts[table] = await countRows(db, table);
  return counts;
}

export function describeCounts(counts: Readonly<Record<string, number>>): string {
  const of = (table: (typeof COUNTED)[number], one: string, many: string) =>
    counted(ownValue(counts, table) ?? 0, [one, many]);
  return [
    of('users', 'user', 'users'),
    of('teams', 'team', 'teams'),
    of('apps', 'app', 'apps'),
    of('cvms', 'CVM', 'CVMs'),
    of('invoices', 'invoice', 'invoices'),
  ].join(', ');
}

async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from ${sql.table(table)}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Returns the time of the newest audit log entry; null without one. */
export async function newestEntry(db: Db): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null;
  }>`select max(at) as at from audit_log`.execute(db);
  return rows[0]?.at ?? null;
}

const someOf = (names: readonly string[], separator = ', ') =>
  names.length > MAX_NAMED
    ? `${names.slice(0, MAX_NAMED).join(separator)} and ${names.length - MAX_NAMED} more`
    : names.join(separator);
