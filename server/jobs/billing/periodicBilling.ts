import type { Logger } from 'pino';
import { debtDaysNow } from '../../db/billing/billingSettings';
import type { Invoicing } from '../../db/billing/issueInvoice';
import type { Db } from '../../db/core/client';
import { notifyExpired } from '../../db/notifications/financeNotices';
import type { DebtDays } from '../../domain/billing/debt';
import type { UsdcNetwork } from '../../domain/billing/usdc/network';
import type { ChainDriver } from '../../drivers/chain';
import type { CardPayments } from '../../drivers/payments';
import { MORE, type PeriodicTask } from '../core/periodic';
import type { JobQueue } from '../core/queue';
import { runAutoTopUps } from './autoTopUp';
import { checkWaitingPayments, closePages, handleCardEvents } from './cardEvents';
import { closeAiUsage } from './closeAiUsage';
import { closeMonths } from './closeMonth';
import { closeUsage } from './closeUsage';
import { watchDebts } from './debts';
import { expireCredits } from './expireCredits';
import { checkBooksDaily } from './nightlyCheck';
import { removeCards } from './removeCards';
import { resumeRefunds } from './resumeRefunds';
import { watchUsdc } from './usdcDeposits';
import { warnOfExpiringCards, watchBalances } from './warnPayers';
import { watchBudgets } from './watchBudgets';
import { watchOrders } from './watchOrders';

export interface BillingServices {
  db: Db;
  jobs: JobQueue;
  log: Logger;
  chain: ChainDriver;
  /** Null while billing is not enforced. */
  debtDays: DebtDays | null;
  invoicing: Invoicing;
  /** Null if the server takes no cards. */
  cards: CardPayments | null;
  /** Networks watched for USDC deposits; none if the server takes no USDC. */
  usdcNetworks: readonly UsdcNetwork[];
}

/** Each task runs in one process at a time. */
const task = (id: string, name: string, period_ms: number, run: PeriodicTask['run']): PeriodicTask => ({
  id,
  name,
  period_ms,
  scope: 'installation',
  run,
});

/** Returns what the workers run periodically for billing. */
export function billingWork({
  db,
  jobs,
  log,
  chain,
  debtDays,
  invoicing,
  cards,
  usdcNetworks,
}: BillingServices): PeriodicTask[] {
  return [
    task('usage', 'Usage posting', 30_000, async () => {
      await closeUsage({ db, log, now: new Date() });
      await closeAiUsage({ db, log, now: new Date() });
      await expireCredits({ db, log, now: new Date() });
      await notifyExpired(db, new Date());
    }),
    task(
      'card_events',
      'Card payments',
      1_000,
      async () => cards && (await handleCardEvents({ db, cards, log })) && MORE,
    ),
    task('card_lookups', 'Card payment lookups', 60_000, async () => {
      if (!cards) return;
      await closePages({ db, cards, log });
      await removeCards({ db, cards, log, now: new Date() });
      const more = [
        await checkWaitingPayments({ db, cards, log }),
        await resumeRefunds({ db, cards, log }, new Date()),
      ];
      return more.includes(true) && MORE;
    }),
    task('usdc_deposits', 'USDC deposits', 15_000, () =>
      watchUsdc({ db, chain, networks: usdcNetworks, log }),
    ),
    task('automatic_payments', 'Automatic payments', 30_000, async () => {
      if (cards) await runAutoTopUps({ db, cards, log, now: new Date() });
    }),
    task('debts', 'Debts', 30_000, async () => {
      if (!debtDays) return;
      await watchDebts({ db, jobs, log, now: new Date(), days: await debtDaysNow(db, debtDays) });
    }),
    task('low_balances', 'Low balances', 300_000, async () => {
      // While billing isn't enforced, nothing stops, however low a balance is.
      if (debtDays) await watchBalances({ db, log, now: new Date(), takesCards: cards !== null });
    }),
    task('expiring_cards', 'Expiring cards', 600_000, async () => {
      if (cards) await warnOfExpiringCards({ db, now: new Date() });
    }),
    task('orders', 'Orders', 5_000, () => watchOrders({ db, log, now: new Date() })),
    task('budgets', 'Budgets', 60_000, () => watchBudgets({ db, jobs, log, now: new Date() })),
    task('invoices', 'Invoices', 60_000, () => closeMonths({ db, log, now: new Date(), invoicing })),
    task('ledger_check', 'Ledger check', 600_000, () => checkBooksDaily({ db, log, now: new Date() })),
  ];
}
