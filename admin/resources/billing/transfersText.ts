import type { AdminBillingSettings } from '../../../generated/api/types.gen';

/** Whether teams are offered bank transfers, as `topUpDrivers` of the console decides it. */
export const transfersText = ({ bank_account }: Pick<AdminBillingSettings, 'bank_account'>): string =>
  bank_account === null
    ? 'No bank account is published. Teams that can pay by card aren’t offered bank transfers. On a server without card payments they are, with the advice to ask you where to send the money. Start the server with BANK_ACCOUNT_HOLDER and BANK_ACCOUNT to publish an account.'
    : `Teams send transfers to ${bank_account}. The server’s BANK_ACCOUNT_HOLDER, BANK_ACCOUNT and BANK_NAME set the account.`;
