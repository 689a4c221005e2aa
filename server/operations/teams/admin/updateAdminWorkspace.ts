import { parseMicros } from '../../../../console/lib/billing/money';
import { lockWorkspace } from '../../../db/teams/adminWorkspaces';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { invalid } from '../../core/admin/change';
import { changeRow } from '../../core/admin/resource';
import { workspaces } from '../../core/admin/resourcesPeople';

export const updateAdminWorkspace: Handler<'updateAdminWorkspace'> = async ({ path, body, ctx }) => {
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
    write: (trx, changes) => trx.updateTable('teams').set(changes).where('id', '=', path.id).execute(),
  });
};

/** The schema's pattern allows up to a billion dollars, which is exact. */
const capMicros = (decimal: string): number => {
  const micros = parseMicros(decimal);
  if (micros === null) throw invalid('post_paid_cap', 'Enter an amount such as 100 or 49.50.');
  return micros;
};
