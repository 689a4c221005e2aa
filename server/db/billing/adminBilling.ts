import { sql } from 'kysely';
import type {
  AdminCredit,
  AdminInvoice,
  AdminInvoiceLine,
  AdminPayment,
  AdminPromotionCode,
  AdminTransaction,
} from '../../../generated/api/types.gen';
import type {
  AdminCreditFields,
  AdminPaymentFields,
  AdminTransactionFields,
  PromotionCodeFields,
} from '../../domain/billing/billingResponse';
import type { AdminInvoiceFields, AdminInvoiceLineFields } from '../../domain/billing/invoiceResponse';
import type { AdminFieldKind, AdminListSource } from '../core/adminList';
import { hasExpired } from './grants';
import { waitsForPayerSql } from './paymentsTables';

const own = sql`t.id, t.public_id, t.team_id, t.kind, t.description, t.source_type, t.source_id, t.effective_at, t.booked_at`;

const number = sql`case when t.source_id ~ '^[0-9]{1,18}$' then t.source_id::bigint end`;

/** Matches postings `t` of these sources, whose own records have the details. */
const books = (...types: readonly string[]) => sql`t.source_type = any(${types}::text[])`;

/**
 * The record booked by posting `t`, as shown in the admin area; no row for hours of usage, corrections and card
 * disputes.
 */
const source = sql`(
  select 'credits' as resource, g.id::text as id from credit_grants g
    where ${books('credit_grant')} and g.public_id = split_part(t.source_id, '/', 1)
  union all select 'invoices', i.id::text from invoices i
    where ${books('invoice', 'invoice_void', 'credit_note')} and i.public_id = t.source_id
  union all select 'payments', r.payment_id::text from payment_receipts r
    where ${books('payment_receipt')} and r.id = ${number}
  union all select 'payments', r.payment_id::text from card_refunds r
    where ${books('card_refund', 'card_refund_failed')} and r.refund_id = t.source_id
  union all select 'orders', o.id::text from orders o
    where ${books('order_term')} and o.public_id = split_part(t.source_id, '/', 1)
  union all select 'orders', r.order_id::text from order_refunds r
    where ${books('order_refund')} and r.public_id = t.source_id
  union all select 'cvms', c.vm_uuid::text from cvm_state_changes s join cvms c on c.id = s.cvm_id
    where ${books('cvm_state_change')} and s.id = ${number})`;

/** Every team's postings. There are as many as team-hours, so pages are read along an index. */
export const adminTransactions: AdminListSource<AdminTransactionFields> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    team_id: 'integer',
    seq: 'none',
    kind: 'text',
    description: 'text',
    amount: 'none',
    entries: 'none',
    source_type: 'text',
    source_id: 'text',
    source_resource: 'none',
    source_record_id: 'none',
    effective_at: 'time',
    booked_at: 'none',
    hash: 'none',
  } satisfies Record<keyof AdminTransaction, AdminFieldKind>,
  searched: ['public_id', 'description'],
  select: sql<AdminTransactionFields>`select ${own}, t.seq, t.entries, t.hash,
      (select coalesce(sum(e.amount_micros), 0)::bigint from ledger_entries e
        where e.transaction_id = t.id and e.account in ('prepaid', 'credits')) as amount,
      f.resource as source_resource, f.id as source_record_id
    from ledger_transactions t left join lateral (select * from ${source} y limit 1) f on true`,
  large: {
    keys: sql`select ${own} from ledger_transactions t`,
    indexed: ['id', 'effective_at'],
    thenBy: 'id',
  },
};

export const adminCredits: AdminListSource<AdminCreditFields> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    team_id: 'integer',
    source: 'text',
    reason: 'text',
    amount: 'none',
    remaining: 'none',
    state: 'text',
    expires_at: 'time',
    created_by: 'integer',
    created_at: 'time',
  } satisfies Record<keyof AdminCredit, AdminFieldKind>,
  searched: ['public_id', 'reason'],
  select: sql<AdminCreditFields>`select g.*,
      case when g.remaining_micros = 0 and not ${hasExpired} then 'used'
        when g.expires_at <= now() then 'expired' else 'active' end as state
    from credit_grants g`,
};

export const adminPayments: AdminListSource<AdminPaymentFields> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    team_id: 'integer',
    driver: 'text',
    state: 'text',
    amount: 'none',
    received: 'none',
    returned: 'none',
    reference: 'text',
    receipts: 'none',
    reason: 'none',
    created_by: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminPayment, AdminFieldKind>,
  searched: ['reference', 'public_id', 'bank_references'],
  select: sql<AdminPaymentFields>`select p.id, p.public_id, p.team_id, p.driver, p.amount_micros, p.received_micros,
      p.returned_micros, p.reference, p.reason, p.created_by, p.created_at, p.updated_at,
      case when not ${waitsForPayerSql('p')} then p.state
        when p.reason is null then 'unfinished' else 'declined' end as state,
      coalesce((select json_agg(json_build_object('amount_micros', r.amount_micros, 'bank_reference', r.bank_reference,
          'received_at', r.received_at, 'confirmed_by', u.username,
          'reversed_at', r.reversed_at, 'reversed_reason', r.reversed_reason) order by r.id)
        from (select * from payment_receipts where payment_id = p.id order by id limit 100) r
        left join users u on u.id = r.confirmed_by), '[]') as receipts,
      (select string_agg(bank_reference, ' ' order by id) from payment_receipts where payment_id = p.id) as bank_references
    from payments p`,
};

/** Number of invoice `i` as on the document: `documentNumber` in SQL. */
const PRINTED_NUMBER = sql`i.series || '-' || lpad(i.number::text, greatest(5, length(i.number::text)), '0')`;

export const adminInvoices: AdminListSource<AdminInvoiceFields> = {
  fields: {
    id: 'integer',
    public_id: 'text',
    team_id: 'integer',
    kind: 'text',
    state: 'text',
    number: 'none',
    month: 'none',
    subtotal: 'none',
    tax_rule: 'text',
    tax_percent: 'none',
    tax: 'none',
    total: 'none',
    corrects: 'integer',
    reason: 'none',
    created_at: 'time',
    issued_at: 'time',
    due_at: 'time',
    paid_at: 'time',
    pdf_sha256: 'none',
    updated_at: 'time',
  } satisfies Record<keyof AdminInvoice, AdminFieldKind>,
  searched: ['public_id', 'printed_number'],
  select: sql<AdminInvoiceFields>`select i.*, encode(d.sha256, 'hex') as pdf_sha256,
      ${PRINTED_NUMBER} as printed_number
    from invoices i left join invoice_documents d on d.invoice_id = i.id`,
};

/** Lines of an invoice, by position. */
export const adminInvoiceLinesOf = (invoice_id: number): AdminListSource<AdminInvoiceLineFields> => ({
  fields: {
    id: 'integer',
    app_name: 'text',
    cvm_name: 'text',
    vm_uuid: 'text',
    order_id: 'text',
    description: 'text',
    basis: 'text',
    hours: 'none',
    hourly_rate: 'none',
    exact_amount: 'none',
    amount: 'none',
  } satisfies Record<keyof AdminInvoiceLine, AdminFieldKind>,
  searched: ['app_name', 'cvm_name'],
  select: sql<AdminInvoiceLineFields>`select l.*, l.position as id from invoice_lines l
    where l.invoice_id = ${invoice_id}`,
});

export const adminPromotionCodes: AdminListSource<PromotionCodeFields> = {
  fields: {
    id: 'integer',
    code: 'text',
    description: 'text',
    amount: 'none',
    percent: 'integer',
    cap: 'none',
    uses: 'integer',
    max_uses: 'integer',
    max_uses_per_team: 'integer',
    new_teams_days: 'integer',
    starts_at: 'time',
    ends_at: 'time',
    credit_days: 'integer',
    welcome: 'boolean',
    minimum: 'none',
    state: 'text',
    created_by: 'integer',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminPromotionCode, AdminFieldKind>,
  searched: ['code', 'description'],
  select: sql<PromotionCodeFields>`select c.* from promotion_codes c`,
};
