import type { Logger } from 'pino';
import { formatMicros } from '../../../console/lib/billing/money';
import { appendAudit } from '../../db/audit/auditLog';
import { noteExpiringCards } from '../../db/billing/notices/expiringCards';
import { setLowBalance, watchedBalances, type WatchedBalance } from '../../db/billing/notices/lowBalances';
import { runwayOfTeam } from '../../db/billing/orders/rateChanges';
import { resolveLowBalance, notifyPayers } from '../../db/billing/paymentNotices';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { cardExpiryNotice } from '../../domain/billing/cardExpiry';
import { checkBalance, lowBalanceNotice, WARNED_HOURS } from '../../domain/billing/lowBalance';
import { CARD_EXPIRY, LOW_BALANCE } from '../../domain/billing/paymentNotice';

/** Teams read per query, and cards handled per run. */
const BATCH_SIZE = 200;

interface Parts {
  db: Db;
  log: Logger;
  now: Date;
  /** Whether the server charges cards. */
  takesCards: boolean;
}

/** Warns payers of balances that run out soon, once per threshold until the balance has recovered. */
export async function watchBalances(parts: Parts): Promise<void> {
  const { db, log, now } = parts;
  for (let after = 0; ;) {
    const teams = await watchedBalances(db, now, { hours: WARNED_HOURS, after, limit: BATCH_SIZE });
    for (const team of teams)
      await checkTeam(parts, team).catch((err: unknown) =>
        log.error(
          { err, team_id: team.team_id },
          "couldn't check a team's balance; retrying in the next run",
        ),
      );
    const last = teams.at(-1);
    if (!last || teams.length < BATCH_SIZE) return;
    after = last.team_id;
  }
}

async function checkTeam({ db, now, takesCards }: Parts, team: WatchedBalance): Promise<void> {
  const { team_id, told, cap_micros: cap, charge_micros } = team;
  const { current, seconds } = await runwayOfTeam(db, team_id, now, cap);
  const balance = current.balance + cap;
  const paysEnough = takesCards && charge_micros !== null && charge_micros >= current.hourly;
  const { next, notice } = checkBalance(told, paysEnough ? null : { balance, seconds }, now);
  if (next === told) return;
  await withTransaction(db, async (trx) => {
    if (!(await setLowBalance(trx, team_id, { told, next }))) return;
    if (notice === 'over') await resolveLowBalance(trx, team_id, now);
    if (notice !== 'low' || next === null) return;
    const runs_out_at = new Date(now.getTime() + (seconds ?? 0) * 1000);
    await notifyPayers(
      trx,
      team_id,
      LOW_BALANCE,
      lowBalanceNotice(next.hours, { balance, cap, runs_out_at }),
      now,
    );
    await audit(trx, team_id, {
      action: 'balance.low',
      target_kind: 'team',
      target_id: team.public_id,
      after: { hours: next.hours, balance: formatMicros(balance), runs_out_at: runs_out_at.toISOString() },
    });
  });
}

/** Warns payers once per saved card that expires soon. Unused cards are skipped. */
export async function warnOfExpiringCards({ db, now }: Pick<Parts, 'db' | 'now'>): Promise<void> {
  await withTransaction(db, async (trx) => {
    for (const { team_id, card_id, ...card } of await noteExpiringCards(trx, now, BATCH_SIZE)) {
      await notifyPayers(trx, team_id, CARD_EXPIRY, cardExpiryNotice(card), now);
      const { last4, exp_month, exp_year } = card;
      await audit(trx, team_id, {
        action: 'card.expires_soon',
        target_kind: 'card',
        target_id: card_id,
        after: { last4, exp_month, exp_year },
      });
    }
  });
}

const audit = (
  trx: Tx,
  team_id: number,
  entry: {
    action: string;
    target_kind: string;
    target_id: string;
    after: Record<string, string | number>;
  },
) => appendAudit(trx, [{ actor_kind: 'system', team_id, ...entry }]);
