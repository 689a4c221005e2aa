import { autoTopUpConsent } from '../../../console/lib/billing/consent';
import { formatMicros } from '../../../console/lib/billing/money';
import { autoTopUpOf, cardOfTeam, changeAutoTopUp, setAutoTopUp as store } from '../../db/billing/autoTopUps';
import { Problem } from '../../domain/core/problem';
import { invalid } from '../core/invalid';
import { MAX_CHARGES, mostThreshold } from '../../domain/billing/autoTopUp';
import { holdTeam, userOf } from '../core/caller';
import type { Call, Handler } from '../types';
import { amountOf, centsOf } from './amount';
import { cardSettings } from './cardSettings';

/** Micro-dollars. */
const MIN_MICROS = 5_000_000;
const MAX_MICROS = 10_000_000_000;

export const setAutoTopUp: Handler<'setAutoTopUp'> = async ({ body, ctx }) => {
  const wanted = body.enabled ? amountsOf(body) : null;
  return ctx.write(async ({ trx, audit }) => {
    const { team } = await holdTeam(trx, ctx, 'billing.manage');
    if (wanted) {
      if (!(await cardOfTeam(trx, team.id)))
        throw new Problem('CONFLICT', { message: 'Save a card first, then turn automatic payments on.' });
      await store(trx, {
        team_id: team.id,
        enabled: true,
        amount_micros: wanted.amount,
        threshold_micros: wanted.threshold,
        consent: autoTopUpConsent(wanted),
        consented_by: userOf(ctx).id,
        consented_at: new Date(),
      });
    } else if (await autoTopUpOf(trx, team.id))
      await changeAutoTopUp(trx, team.id, { enabled: false, stopped_reason: null });
    await audit({
      action: wanted ? 'auto_top_up.enable' : 'auto_top_up.disable',
      target_kind: 'team',
      target_id: team.public_id,
      ...(wanted && {
        after: {
          amount: formatMicros(wanted.amount),
          threshold: formatMicros(wanted.threshold),
          consent: autoTopUpConsent(wanted),
        },
      }),
    });
    return { status: 200, body: await cardSettings(trx, team.id) } as const;
  });
};

function amountsOf({ amount, threshold, consent }: Call<'setAutoTopUp'>['body']) {
  if (amount === undefined) throw invalid('amount', 'Enter the amount to charge each time.');
  if (threshold === undefined)
    throw invalid('threshold', 'Enter the balance below which the card is charged.');
  const micros = centsOf(amount, 'amount');
  if (micros < MIN_MICROS || micros > MAX_MICROS)
    throw invalid('amount', 'The amount must be at least $5 and at most $10,000.');
  if (!consent) throw invalid('consent', 'Agree to be charged automatically.');
  const below = amountOf(threshold, 'threshold');
  if (below > mostThreshold(micros))
    throw invalid('threshold', `The balance must be at most ${MAX_CHARGES} times the amount.`);
  return { amount: micros, threshold: below };
}
