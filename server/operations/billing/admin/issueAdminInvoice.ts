import { invoiceActions } from '../../../../console/lib/billing/allowedActions';
import { issueInvoice } from '../../../db/billing/issueInvoice';
import type { Handler } from '../../types';
import { changeInvoice } from './invoiceChange';

export const issueAdminInvoice: Handler<'issueAdminInvoice'> = async ({ path, ctx }) => {
  return changeInvoice(ctx, path.id, {
    status: 200,
    action: 'invoice.issue',
    states: invoiceActions.issue,
    act: (trx, draft) => issueInvoice(trx, draft, ctx.config.invoicing, new Date()),
  });
};
