import type { AdminLedger } from '../../../generated/api/types.gen';
import { ownValue } from '../../../console/lib/ownValue';

/**
 * What each account holds, and what its sign means; payment driver accounts are named after the driver. Amounts
 * that teams have or have used are positive; their sources are negative.
 */
const MEANINGS: Readonly<Record<string, string>> = {
  prepaid: 'What teams paid and haven’t used; negative if they owe more',
  credits: 'Credits that teams can still use',
  revenue: 'Usage, orders and AI requests that were charged',
  tax: 'Tax on invoices, less credit notes',
  promotion: 'Credits granted (negative), less those that expired or were revoked',
  adjustment: 'Corrections by staff; negative in favor of teams',
  cash: 'Payments received (negative), less refunds',
  dispute: 'Card payments reversed by disputes',
  write_off: 'Debts written off (negative)',
};

export const accountMeaning = (account: string): string =>
  ownValue(MEANINGS, account.split(':')[0] ?? '') ?? '';

/** Returns the title for a check that found no transactions: money may have been posted since. */
export const emptyCheckTitle = ({ accounts }: Pick<AdminLedger, 'accounts'>): string =>
  accounts.length === 0 ? 'Nothing to check yet' : 'Not checked since the first posting';
