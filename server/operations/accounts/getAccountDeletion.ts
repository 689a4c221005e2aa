import { userOf } from '../core/caller';
import { deletionOut } from '../teams/teamDeletion';
import type { Handler } from '../types';
import { accountDeletion } from './accountDeletion';

export const getAccountDeletion: Handler<'getAccountDeletion'> = async ({ ctx }) => {
  const { teams, refusal } = await accountDeletion(ctx.db, userOf(ctx).id, ctx.config.billingEnforced);
  const reasons = new Map(
    (refusal?.info.details ?? []).map(({ message, value }) => [(value as { slug: string }).slug, message]),
  );
  return {
    status: 200,
    body: {
      refusal: refusal?.message ?? null,
      teams: teams.map(({ slug, name, deletion }) => ({
        slug,
        name,
        ...deletionOut(deletion, reasons.get(slug) ?? null),
      })),
    },
  };
};
