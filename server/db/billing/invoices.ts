import { sql } from 'kysely';
import { allocateCents, centsOfMicros, type Payer, type Period } from '../../domain/billing/invoice';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import { lockLedger } from './ledger';
import { orderCharges } from './orders/orderTotals';
import type { InvoiceLineRow, InvoiceRow } from './invoicesTables';

/** Returns teams with usage or orders in a month, all of it posted, and no invoice for it, ordered by ID. */
export async function teamsToInvoice(
  db: Db,
  { start, end }: Period,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ team_id: number }>`
    select h.team_id from ledger_heads h where h.team_id > ${after}
      and exists (select 1 from ledger_transactions l where l.team_id = h.team_id
        and l.effective_at >= ${start} and l.effective_at <= ${end}
        and case when l.kind in ('usage', 'usage_correction') then l.effective_at > ${start}
          when l.kind in ('order', 'order_refund') then l.effective_at < ${end} else false end)
      and not exists (select 1 from invoices i where i.team_id = h.team_id and i.period_start = ${start}
        and i.kind = 'invoice')
      and not ${behind(sql`h.team_id`, end)}
    order by h.team_id limit ${limit}`.execute(db);
  return rows.map(({ team_id }) => team_id);
}

const behind = (team: ReturnType<typeof sql>, end: Date) =>
  sql<boolean>`(exists (select 1 from usage_meters m where m.team_id = ${team} and not m.ended and m.closed_until < ${end})
    or exists (select 1 from ai_requests r where r.team_id = ${team} and not r.is_posted and r.cost_picos > 0
      and r.created_at < ${end}))`;

type NewLine = Omit<InvoiceLineRow, 'invoice_id' | 'position' | 'amount_cents'>;

/** Returns a team's charges in a month: the month's usage, corrections made in it, AI requests and orders. */
const linesOfMonth = async (trx: Tx, team_id: number, month: Period): Promise<NewLine[]> => [
  ...(await orderLines(trx, team_id, month)),
  ...(await usageOfMonth(trx, team_id, month)),
  ...(await aiLines(trx, team_id, month)),
];

/**
 * Usage covered by an order is free and has no line; disk beyond it is charged. A correction counts when it was
 * booked, also for usage where nothing was posted that it could correct.
 */
async function usageOfMonth(trx: Tx, team_id: number, { start, end }: Period): Promise<NewLine[]> {
  const { rows } = await sql<NewLine>`
    with corrections as materialized (
      select id, effective_at from ledger_transactions
      where team_id = ${team_id} and kind = 'usage_correction' and effective_at >= ${start}
    ), charged as (
      select u.cvm_id, u.basis, u.starts_at, u.ends_at, u.rate_micros, u.amount_micros from usage_lines u
      where u.team_id = ${team_id} and u.corrects is null and u.transaction_id is not null
        and (u.order_id is null or u.rate_micros <> 0)
        and u.starts_at >= ${start} and u.starts_at < ${end}
        and not exists (select from corrections t where t.id = u.transaction_id)
      union all
      select u.cvm_id, u.basis, u.starts_at, u.ends_at, u.rate_micros, u.amount_micros from usage_lines u
      join corrections t on t.id = u.transaction_id
      where (u.order_id is null or u.rate_micros <> 0) and t.effective_at < ${end}
    )
    select g.*, c.vm_uuid, c.name as cvm_name, a.name as app_name, null as order_id, null as description from (
      select cvm_id, basis, sum(extract(epoch from ends_at - starts_at) * sign(rate_micros))::bigint as seconds,
        case when min(abs(rate_micros)) = max(abs(rate_micros)) then min(abs(rate_micros)) end as rate_micros,
        sum(amount_micros)::bigint as amount_micros
      from charged group by cvm_id, basis
    ) g join cvms c on c.id = g.cvm_id join apps a on a.id = c.app_id
    where g.amount_micros <> 0
    order by a.name, c.name, g.cvm_id, array_position(array['size', 'disk', 'gpu'], g.basis)`.execute(trx);
  return rows;
}

/** Terms charged in a month, and refunds in it, which may be for terms on earlier invoices. */
async function orderLines(trx: Tx, team_id: number, { start, end }: Period): Promise<NewLine[]> {
  const charged = await orderCharges(trx, team_id, { from: start, to: end });
  return charged.map(({ public_id, description, starts_at, ends_at, amount_micros }) => ({
    cvm_id: null,
    vm_uuid: null,
    cvm_name: null,
    app_name: null,
    order_id: public_id,
    description,
    basis: 'order',
    seconds: starts_at && ends_at ? Math.round((ends_at.getTime() - starts_at.getTime()) / 1000) : 0,
    rate_micros: null,
    amount_micros,
  }));
}

/** One line per model, for requests charged with an hour of the month. */
async function aiLines(trx: Tx, team_id: number, { start, end }: Period): Promise<NewLine[]> {
  const { rows } = await sql<NewLine>`
    select null as cvm_id, null as vm_uuid, null as cvm_name, null as app_name, null as order_id,
      format('Confidential AI, %s: %s %s, %s tokens', model, to_char(requests, 'FM999,999,999,999,990'),
        case requests when 1 then 'request' else 'requests' end, to_char(tokens, 'FM999,999,999,999,990')) as description,
      'ai' as basis, 0::bigint as seconds, null as rate_micros, amount_micros
    from (
      select model, sum(requests) as requests, sum(input_tokens + output_tokens) as tokens,
        sum(amount_micros)::bigint as amount_micros
      from ai_usage_lines where team_id = ${team_id} and effective_at > ${start} and effective_at <= ${end} group by model
    ) m where amount_micros > 0 order by model`.execute(trx);
  return rows;
}

/**
 * Creates a team's draft for a month, with its lines. @returns null if it has one, if the month's usage is not
 * fully posted, or if there was none
 */
export async function draftInvoice(trx: Tx, team_id: number, period: Period): Promise<InvoiceRow | null> {
  await lockLedger(trx, team_id);
  const { rows } = await sql<{ ready: boolean }>`
    select not ${behind(sql`${team_id}`, period.end)} and not exists (select 1 from invoices i
      where i.team_id = ${team_id} and i.period_start = ${period.start} and i.kind = 'invoice') as ready`.execute(
    trx,
  );
  if (!rows[0]?.ready) return null;
  const lines = await linesOfMonth(trx, team_id, period);
  if (lines.length === 0) return null;
  const subtotal_micros = lines.reduce((sum, line) => sum + line.amount_micros, 0);
  const subtotal_cents = centsOfMicros(subtotal_micros);
  const invoice = await trx
    .insertInto('invoices')
    .values({
      public_id: publicId('inv'),
      team_id,
      kind: 'invoice',
      period_start: period.start,
      period_end: period.end,
      subtotal_micros,
      subtotal_cents,
      total_cents: subtotal_cents,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const cents = allocateCents(lines.map((line) => line.amount_micros));
  await insertInvoiceLines(
    trx,
    invoice.id,
    lines.map((line, index) => ({ ...line, amount_cents: cents[index] ?? 0 })),
  );
  return invoice;
}

/** Stores the lines of a draft in order. */
export async function insertInvoiceLines(
  trx: Tx,
  invoice_id: number,
  lines: readonly (NewLine & { amount_cents: number })[],
): Promise<void> {
  const column = <K extends keyof InvoiceLineRow & keyof (typeof lines)[number]>(name: K) =>
    lines.map((line) => line[name]);
  await sql`insert into invoice_lines (invoice_id, position, cvm_id, vm_uuid, cvm_name, app_name, order_id, description,
      basis, seconds, rate_micros, amount_micros, amount_cents)
    select ${invoice_id}, u.position, u.cvm_id, u.vm_uuid, u.cvm_name, u.app_name, u.order_id, u.description, u.basis,
      u.seconds, u.rate_micros, u.amount_micros, u.amount_cents
    from unnest(${column('cvm_id')}::bigint[], ${column('vm_uuid')}::text[], ${column('cvm_name')}::text[],
      ${column('app_name')}::text[], ${column('order_id')}::text[], ${column('description')}::text[],
      ${column('basis')}::text[], ${column('seconds')}::bigint[],
      ${column('rate_micros')}::bigint[], ${column('amount_micros')}::bigint[], ${column('amount_cents')}::bigint[])
      with ordinality as u (cvm_id, vm_uuid, cvm_name, app_name, order_id, description, basis, seconds, rate_micros, amount_micros,
        amount_cents, position)`.execute(trx);
}

/** Returns drafts created before `before`, ordered by ID. */
export const draftsBefore = (db: Db, before: Date, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('invoices')
    .select('id')
    .where('state', '=', 'draft')
    .where('created_at', '<=', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Locks an invoice together with its team's ledger, in the order that avoids deadlocks. */
export async function lockInvoice(trx: Tx, id: number): Promise<InvoiceRow | undefined> {
  const row = await trx.selectFrom('invoices').select('team_id').where('id', '=', id).executeTakeFirst();
  if (!row) return undefined;
  await lockLedger(trx, row.team_id);
  return trx.selectFrom('invoices').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export const linesOfInvoice = (db: Db | Tx, invoice_id: number): Promise<InvoiceLineRow[]> =>
  db
    .selectFrom('invoice_lines')
    .selectAll()
    .where('invoice_id', '=', invoice_id)
    .orderBy('position')
    .execute();

/** Takes the next number of a series. Other issuers wait until this transaction ends. */
export async function nextNumber(trx: Tx, series: string): Promise<number> {
  const { last_number } = await trx
    .insertInto('invoice_series')
    .values({ series, last_number: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet(({ ref }) => ({
        last_number: sql<number>`${ref('invoice_series.last_number')} + 1`,
      })),
    )
    .returning('last_number')
    .executeTakeFirstOrThrow();
  return last_number;
}

/**
 * The oldest charges are paid first: an invoice is covered when the team's debt is at most its charges after
 * the invoice's month. Credits count, as they do for debts.
 */
const COVERED = sql<boolean>`(i.total_cents <= 0 or coalesce((select b.amount_micros from ledger_balances b
  where b.team_id = i.team_id and b.account = 'prepaid'), 0) >= 0
  or (select sum(b.amount_micros) from ledger_balances b
    where b.team_id = i.team_id and b.account in ('prepaid', 'credits'))
    - coalesce((select sum(e.amount_micros) from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
      where t.team_id = i.team_id and t.effective_at >= i.period_end and e.account = 'prepaid'
        and ((t.kind in ('usage', 'usage_correction') and t.effective_at > i.period_end)
          or t.kind in ('order', 'order_refund') or (t.kind = 'tax' and t.source_id <> i.public_id))), 0) >= 0)`;

/** Returns unpaid invoices covered by the balance, ordered by ID. */
export const coveredInvoices = (db: Db, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('invoices as i')
    .select('i.id')
    .where('i.state', 'in', ['open', 'overdue'])
    .where('i.kind', '=', 'invoice')
    .where('i.id', '>', after)
    .where(COVERED)
    .orderBy('i.id')
    .limit(limit)
    .execute();

/** Returns open invoices due before `now`, ordered by ID. */
export const unpaidInvoices = (db: Db, now: Date, { after, limit }: { after: number; limit: number }) =>
  db
    .selectFrom('invoices')
    .select('id')
    .where('state', '=', 'open')
    .where('due_at', '<=', now)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();

export async function isCovered(trx: Tx, id: number): Promise<boolean> {
  const row = await trx
    .selectFrom('invoices as i')
    .select(COVERED.as('covered'))
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow();
  return row.covered;
}

type Change = Partial<
  Pick<
    InvoiceRow,
    | 'state'
    | 'series'
    | 'number'
    | 'seller'
    | 'seller_vat_id'
    | 'tax_rule'
    | 'tax_rate'
    | 'tax_cents'
    | 'total_cents'
    | 'issued_at'
    | 'due_at'
    | 'paid_at'
    | 'closed_at'
  >
> & { payer?: string };

export const setInvoice = (trx: Tx, id: number, change: Change): Promise<InvoiceRow> =>
  trx
    .updateTable('invoices')
    .set({ ...change, updated_at: new Date() })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Returns the amounts of earlier credit notes per invoice line and for its tax, as positive amounts. */
export async function creditedOf(
  trx: Tx,
  invoice_id: number,
): Promise<{
  lines: Map<number, { micros: number; cents: number }>;
  tax_cents: number;
}> {
  const lines = await trx
    .selectFrom('invoices as n')
    .innerJoin('invoice_lines as l', 'l.invoice_id', 'n.id')
    .where('n.corrects', '=', invoice_id)
    .groupBy('l.position')
    .select(['l.position'])
    .select(sql<number>`(-sum(l.amount_micros))::bigint`.as('micros'))
    .select(sql<number>`(-sum(l.amount_cents))::bigint`.as('cents'))
    .execute();
  const tax = await trx
    .selectFrom('invoices')
    .where('corrects', '=', invoice_id)
    .select(sql<number>`coalesce(-sum(tax_cents), 0)::bigint`.as('cents'))
    .executeTakeFirstOrThrow();
  return {
    lines: new Map(lines.map(({ position, micros, cents }) => [position, { micros, cents }])),
    tax_cents: tax.cents,
  };
}

const issued = (db: Db, team_id: number) =>
  db
    .selectFrom('invoices as i')
    .leftJoin('invoices as c', 'c.id', 'i.corrects')
    .leftJoin('invoice_documents as d', 'd.invoice_id', 'i.id')
    .leftJoin('e_invoices as e', 'e.invoice_id', 'i.id')
    .selectAll('i')
    .select('c.public_id as corrected')
    .select(sql<string | null>`encode(d.sha256, 'hex')`.as('pdf_sha256'))
    .select(sql<string | null>`encode(e.sha256, 'hex')`.as('xml_sha256'))
    .where('i.team_id', '=', team_id)
    .where('i.issued_at', 'is not', null)
    .$narrowType<{ issued_at: Date; payer: Payer }>();

/** Returns a team's issued documents, newest first, after `before` in that order. */
export const issuedInvoices = (
  db: Db,
  team_id: number,
  { before, limit }: { before?: number | undefined; limit: number },
) =>
  issued(db, team_id)
    .$if(before !== undefined, (query) => query.where('i.id', '<', before!))
    .orderBy('i.id', 'desc')
    .limit(limit)
    .execute();

/** Returns lines of an invoice after a position, in order. */
export const listLines = (
  db: Db,
  invoice_id: number,
  { after, limit }: { after: number; limit: number },
): Promise<InvoiceLineRow[]> =>
  db
    .selectFrom('invoice_lines')
    .selectAll()
    .where('invoice_id', '=', invoice_id)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();

export const issuedInvoice = (db: Db, team_id: number, public_id: string) =>
  issued(db, team_id).where('i.public_id', '=', public_id).executeTakeFirst();
