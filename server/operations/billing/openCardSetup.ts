import { holdTeam } from '../core/caller';
import type { Handler } from '../types';
import { atProvider, cardsOf, customerFor } from './cards';

export const openCardSetup: Handler<'openCardSetup'> = async ({ ctx }) => {
  const { customer_id, back } = await customerFor(ctx);
  const page = await atProvider(cardsOf(ctx).openSetup({ customer_id, success_url: back, cancel_url: back }));
  return ctx.write(async ({ trx, audit }) => {
    await holdTeam(trx, ctx, 'billing.manage');
    await audit({ action: 'card.setup', target_kind: 'card', target_id: page.id });
    return { status: 200, body: { url: page.url } } as const;
  });
};
