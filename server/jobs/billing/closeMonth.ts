import type { Logger } from 'pino';
import { appendAudit } from '../../db/audit/auditLog';
import {
  coveredInvoices,
  draftInvoice,
  draftsBefore,
  isCovered,
  lockInvoice,
  setInvoice,
  teamsToInvoice,
  unpaidInvoices,
} from '../../db/billing/invoices';
import { renderLater, withoutDocument } from '../../db/billing/invoiceDocuments';
import { notifyInvoice, resolveInvoice } from '../../db/billing/invoiceNotices';
import type { InvoiceRow } from '../../db/billing/invoicesTables';
import { issueInvoice, payInvoice, type Invoicing } from '../../db/billing/issueInvoice';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { formatMicros } from '../../../console/lib/billing/money';
import { completedMonth, documentNumber } from '../../domain/billing/invoice';

/** Rows per query, and maximum queries per run; the rest is due in the next. */
const BATCH_SIZE = 200;
const MAX_BATCHES = 50;
/** Handled concurrently: each mostly waits for the database. */
const CONCURRENT = 4;
/** Months that are still invoiced after a long outage of the server. */
const MONTHS_BACK = 3;
const DAY_MS = 24 * 3_600_000;

interface Parts {
  db: Db;
  log: Logger;
  now: Date;
  invoicing: Invoicing;
  /** Invoices handled at a time. One by default, because numbers follow the order of drafts. */
  concurrent?: number;
}

/**
 * Drafts invoices for completed months, issues drafts whose review has ended, and marks issued invoices as paid
 * once the balance covers them, or as overdue. Each step is its own transaction, so any number of processes may
 * run it concurrently. PDFs are rendered afterward.
 */
export async function closeMonths(parts: Parts): Promise<void> {
  const { db, now, invoicing } = parts;
  const alone = (act: (trx: Tx, id: number) => Promise<void>) => (id: number) =>
    withTransaction(db, (trx) => act(trx, id));
  for (let back = MONTHS_BACK - 1; back >= 0; back--) {
    const period = completedMonth(now, back);
    await each(
      parts,
      (page) => teamsToInvoice(db, period, page),
      alone(async (trx, team_id) => {
        const draft = await draftInvoice(trx, team_id, period);
        if (draft) await audit(trx, 'invoice.draft', draft);
      }),
    );
  }
  const reviewed = new Date(now.getTime() - invoicing.review_days * DAY_MS);
  await each(
    parts,
    async (page) => (await draftsBefore(db, reviewed, page)).map(({ id }) => id),
    alone(async (trx, id) => {
      const draft = await lockInvoice(trx, id);
      if (draft?.state !== 'draft') return;
      const issued = await issueInvoice(trx, draft, invoicing, now);
      await audit(trx, 'invoice.issue', issued);
      if (issued.state === 'paid') await audit(trx, 'invoice.paid', issued);
    }),
  );
  await each(
    parts,
    async (page) => (await coveredInvoices(db, page)).map(({ id }) => id),
    alone(async (trx, id) => {
      const open = await lockInvoice(trx, id);
      if ((open?.state !== 'open' && open?.state !== 'overdue') || !(await isCovered(trx, id))) return;
      await resolveInvoice(trx, open, 'paid', now);
      await audit(trx, 'invoice.paid', await payInvoice(trx, id, now));
    }),
  );
  await each(
    parts,
    async (page) => (await unpaidInvoices(db, now, page)).map(({ id }) => id),
    alone(async (trx, id) => {
      const open = await lockInvoice(trx, id);
      if (open?.state !== 'open') return;
      const overdue = await setInvoice(trx, id, { state: 'overdue' });
      await notifyInvoice(trx, overdue, now);
      await audit(trx, 'invoice.overdue', overdue);
    }),
  );
  await each(
    parts,
    (page) => withoutDocument(db, now, page),
    (id) => renderLater(db, id, now),
    // Rendering is CPU-bound: running several at a time takes as long and multiplies the memory.
    1,
  );
}

/** Handles each ID, in batches. A failed one is due again in the next run. */
async function each(
  { log, concurrent: given = CONCURRENT }: Parts,
  read: (page: { after: number; limit: number }) => Promise<number[]>,
  act: (id: number) => Promise<unknown>,
  concurrent = given,
): Promise<void> {
  for (let after = 0, batches = 0; batches < MAX_BATCHES; batches++) {
    const ids = await read({ after, limit: BATCH_SIZE });
    const waiting = [...ids];
    const handle = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const handled = id;
        await act(id).catch((err: unknown) =>
          log.error({ err, id: handled }, 'failed to process an invoice; retrying in the next run'),
        );
      }
    };
    await Promise.all(Array.from({ length: concurrent }, handle));
    const last = ids.at(-1);
    if (last === undefined || ids.length < BATCH_SIZE) return;
    after = last;
  }
}

const audit = (trx: Tx, action: string, invoice: InvoiceRow) =>
  appendAudit(trx, [
    {
      actor_kind: 'system',
      team_id: invoice.team_id,
      action,
      target_kind: 'invoice',
      target_id: invoice.public_id,
      after: {
        month: invoice.period_start.toISOString().slice(0, 7),
        state: invoice.state,
        total: formatMicros(invoice.total_cents * 10_000),
        number:
          invoice.series !== null && invoice.number !== null
            ? documentNumber(invoice.series, invoice.number)
            : null,
      },
    },
  ]);
