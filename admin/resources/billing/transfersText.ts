import type { AdminBillingSettings } from '../../../generated/api/types.gen';

type Ways = Pick<AdminBillingSettings, 'bank_account' | 'card_payments'>;

/** Says whether teams are offered bank transfers, matching the console's `topUpDrivers`. */
export function transfersText({ bank_account, card_payments }: Ways): string {
  if (bank_account !== null)
    return `Teams send transfers to ${bank_account}. The server’s BANK_ACCOUNT_HOLDER, BANK_ACCOUNT and BANK_NAME set the account.`;
  const offered = card_payments
    ? 'Teams pay by card and aren’t offered bank transfers.'
    : 'Teams can’t pay by card, so they are offered bank transfers and have to ask you where to send the money.';
  return `No bank account is published. ${offered} Start the server with BANK_ACCOUNT_HOLDER and BANK_ACCOUNT to publish an account.`;
}
