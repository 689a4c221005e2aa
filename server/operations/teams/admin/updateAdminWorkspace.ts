import { formatUsd, parseMicros } from '../../../../console/lib/billing/money';
import { lockWorkspace } from '../../../db/teams/adminWorkspaces';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { approvalFor } from '../../billing/approvals/approval';
import { invalid } from '../../core/invalid';
import { changeRow } from '../../core/admin/resource';
import { workspaces } from '../../core/admin/resourcesPeople';
import { checkTexts } from '../../core/text';

export const updateAdminWorkspace: Handler<'updateAdminWorkspace'> = async ({ path, body, ctx }) => {
  checkTexts(body, ['name']);
  const { post_paid_cap, ...rest } = body;
  return changeRow(ctx, workspaces, path.id, {
    kind: 'team',
    team_id: path.id,
    patch: {
      ...rest,
      ...(post_paid_cap === undefined ? {} : { post_paid_cap_micros: capMicros(post_paid_cap) }),
    },
    lock: lockWorkspace,
    async check(_trx, _changes, { name, deleted_at }) {
      if (deleted_at !== null) throw new Problem('CONFLICT', { message: `${name} is deleted.` });
    },
    // A cap lets the team use money it hasn't paid, so raising it is worth as much as a credit.
    async approval(write, { post_paid_cap_micros: cap, ...others }, before) {
      const waits = await approvalFor(ctx, write, {
        action: 'raise_post_paid_cap',
        path: { ...path },
        body: post_paid_cap === undefined ? {} : { post_paid_cap },
        team_id: before.id,
        target: before.slug,
        amount_micros: Math.max(0, (cap ?? 0) - before.post_paid_cap_micros),
        reason: `From ${formatUsd(before.post_paid_cap_micros)} to ${formatUsd(cap ?? before.post_paid_cap_micros)}`,
      });
      // Otherwise the approval would also set the other fields, to values from the time of the request.
      if (waits && Object.keys(others).length > 0)
        throw invalid(
          'post_paid_cap',
          'Raise the cap in a separate request: a second administrator must approve it. Nothing was changed.',
        );
      return waits;
    },
    write: (trx, changes) => trx.updateTable('teams').set(changes).where('id', '=', path.id).execute(),
  });
};

/** Micro-dollars. */
const MAX_CAP = 1_000_000_000_000;

function capMicros(decimal: string): number {
  const micros = parseMicros(decimal);
  if (micros === null || micros > MAX_CAP)
    throw invalid('post_paid_cap', 'The amount must be at most $1,000,000.');
  return micros;
}
