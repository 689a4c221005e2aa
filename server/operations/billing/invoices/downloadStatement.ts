import { billingDetails } from '../../../db/billing/billingDetails';
import { balanceAt, statementRows } from '../../../db/billing/statements';
import { renderPaper } from '../../../domain/billing/document/pdf';
import { statementDocument } from '../../../domain/billing/document/statementDocument';
import { Problem } from '../../../domain/core/problem';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { monthOf } from '../month';
import { fileReply } from './fileReply';

/** Generated per request: late bookings for a month belong to the month in which they were booked. */
export const downloadStatement: Handler<'downloadStatement'> = async ({ path, ctx }) => {
  const team = teamOf(ctx);
  const { start, end } = monthOf(path.month);
  const now = new Date();
  if (start > now)
    throw new Problem('NOT_FOUND', {
      message: `There is no statement for ${path.month}: the month hasn't started.`,
    });
  const { seller, seller_vat_id } = ctx.config.invoicing;
  const [details, opening, changes] = await Promise.all([
    billingDetails(ctx.db, team.id),
    balanceAt(ctx.db, team.id, start),
    statementRows(ctx.db, team.id, { start, end }),
  ]);
  const content = await renderPaper(
    statementDocument({
      start,
      end,
      made_at: now,
      payer: { id: team.public_id, slug: team.slug, name: team.name, ...details },
      seller,
      seller_vat_id,
      opening,
      ...changes,
    }),
  );
  return fileReply(`${team.slug}-statement-${path.month}`, content);
};
