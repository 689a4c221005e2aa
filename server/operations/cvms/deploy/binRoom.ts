import { sql } from 'kysely';
import { withTransaction, type Db, type Tx } from '../../../db/core/client';
import { purgeForRoom } from '../../../db/cvms/purgeForRoom';
import { recycledCvmsOn } from '../../../db/cvms/recycledCapacity';
import { platformSettings } from '../../../db/platform/platformSettings';
import { Problem } from '../../../domain/core/problem';
import { roomInBin, type Room } from '../../../domain/hosts/recycledCapacity';
import { teamOf } from '../../core/caller';
import type { Context } from '../../types';
import { gone } from '../lifecycle/deleteCvm';
import type { Plan } from './plan';

/** Deleted CVMs that one deployment may purge. */
const MOST_PURGES = 20;

type Hosts = Pick<Plan, 'suitable' | 'wish'>;

/**
 * Returns where purging deleted CVMs from the recycle bin would make room; null if it wouldn't, or the administrator
 * doesn't allow it.
 */
export async function roomFor(db: Db | Tx, team_id: number, { suitable, wish }: Hosts): Promise<Room | null> {
  if (suitable.length === 0) return null;
  const { recycle_bin_gives_way, recycle_bin_min_age_hours } = await platformSettings(db);
  if (!recycle_bin_gives_way) return null;
  const recycled = await recycledCvmsOn(db, {
    teepod_ids: suitable.map(({ teepod_id }) => teepod_id),
    team_id,
    min_age_hours: recycle_bin_min_age_hours,
  });
  const room = roomInBin(suitable, wish, recycled);
  return room === null || room.purge.length > MOST_PURGES ? null : room;
}

/**
 * Purges the oldest deleted CVMs on the host where the fewest have to go, if that makes room, and waits briefly for their
 * host. Returns the refusal that says so while the host is still removing them; null if nothing was purged.
 */
export async function makeRoom(ctx: Context, plan: Hosts): Promise<Problem | null> {
  const team = teamOf(ctx);
  const found = await withTransaction(ctx.db, async (trx) => {
    const first = await roomFor(trx, team.id, plan);
    if (first === null) return null;
    // Two concurrent deployments must not purge for the same room twice.
    await trx.selectFrom('teepods').select('id').where('id', '=', first.teepod_id).forUpdate().execute();
    const suitable = plan.suitable.filter(({ teepod_id }) => teepod_id === first.teepod_id);
    const room = await roomFor(trx, team.id, { suitable, wish: plan.wish });
    if (room === null) return null;
    const purged = await purgeForRoom(trx, ctx.jobs, room);
    const { rows: leaving } = await sql<{ id: number; team_id: number }>`
      select id, team_id from cvms where id = any(${[...purged, ...room.purging]}::bigint[])`.execute(trx);
    return { room, leaving };
  });
  if (found === null || found.leaving.length === 0) return null;
  const { room, leaving } = found;
  await Promise.all(leaving.map(({ id, team_id }) => gone(ctx, team_id, id)));
  return new Problem('RESOURCE_NOT_AVAILABLE', {
    message: `The host ${room.teepod_name} is still removing ${leaving.length === 1 ? 'a deleted CVM' : `${leaving.length} deleted CVMs`} from the recycle bin to make room.`,
    suggestions: ['Try again in a minute.'],
  });
}
