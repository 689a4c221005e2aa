import type { Rollout } from '../../../generated/api/types.gen';
import { appsWithRollouts, everyRollout } from '../../db/apps/rollouts';
import { toRollout } from '../../domain/apps/rolloutResponse';
import { teamOf } from '../core/caller';
import { dataFile, fieldColumns } from '../core/dataFile';
import type { Handler } from '../types';
import { appOf } from './appId';

const COLUMNS = {
  ...fieldColumns('created_at', 'rollout_id', 'app_id'),
  revision: ({ revision }: Rollout) => revision.revision_number ?? null,
  ...fieldColumns('state', 'reason'),
  requested_by: ({ requested_by }: Rollout) => requested_by?.username ?? null,
  cvms: (rollout: Rollout) => rollout.total,
  updated_cvms: (rollout: Rollout) => rollout.updated,
  healthy_cvms: (rollout: Rollout) => rollout.healthy,
  error_code: ({ error }: Rollout) => error?.code ?? null,
  error_message: ({ error }: Rollout) => error?.message ?? null,
  cancel_mode: ({ cancel }: Rollout) => cancel?.mode ?? null,
  ...fieldColumns('started_at', 'finished_at'),
};

export const exportRollouts: Handler<'exportRollouts'> = async ({ query, ctx }) => {
  const { format = 'csv', app_id } = query;
  const apps =
    app_id === undefined ? await appsWithRollouts(ctx.db, teamOf(ctx).id) : [(await appOf(ctx, app_id)).app];
  async function* batches() {
    for (const app of apps)
      for await (const rows of everyRollout(ctx.db, app.id))
        yield rows.map((row) => toRollout(row, app.app_id));
  }
  return dataFile(ctx, { what: 'rollouts', format, columns: COLUMNS, batches: batches() });
};
