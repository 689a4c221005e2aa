import type { BillingDetails } from '../../../../generated/api/types.gen';
import type { BillingDetailsFields } from '../../../db/billing/billingDetails';
import { taxOf } from '../../../domain/billing/tax';
import type { Context } from '../../types';

/** Returns billing details with the tax for an invoice issued now. */
export function detailsOut(
  { config }: Pick<Context, 'config'>,
  details: BillingDetailsFields,
): BillingDetails {
  const { tax_rule, tax_rate } = taxOf(config.invoicing, details.vat_id);
  return { ...details, tax_rule, tax_percent: tax_rate / 100 };
}
