import { imagesOf } from '../../../db/catalog/catalog';
import { heldForOthers } from '../../../db/hosts/waits/heldRoom';
import { hostConditions } from '../../../db/hosts/hostConditions';
import { teepodCapacities } from '../../../db/hosts/reservations';
import { findTeamBySlug } from '../../../db/hosts/teepodTeams';
import { listKmsRows } from '../../../db/kms/kms';
import { placementPolicy } from '../../../db/platform/platformSettings';
import { placementChecks } from '../../../domain/hosts/placementChecks';
import { missing } from '../../core/admin/resource';
import type { Handler } from '../../types';

/** Far more services than a server has. */
const ALL_KMS = { limit: 1000, offset: 0 };

export const getTeepodPlacement: Handler<'getTeepodPlacement'> = async ({ path, query, ctx }) => {
  const { db } = ctx;
  const team = await findTeamBySlug(db, query.team_slug);
  if (!team) throw missing({ singular: 'team' }, query.team_slug);
  const which = { teepod_id: path.id, team_id: team.id };
  const met = await hostConditions(db, which);
  const any = { ...which, include_closed: true, include_foreign: true };
  const [[host], [beside], held] = await Promise.all([
    teepodCapacities(db, { ...any, held_by: 'nobody' }),
    teepodCapacities(db, any),
    heldForOthers(db, which),
  ]);
  if (!met || !host || !beside) throw missing({ singular: 'teepod' }, path.id);
  const [{ rows: services }, images, policy] = await Promise.all([
    listKmsRows(db, ALL_KMS),
    imagesOf(db, [path.id]),
    placementPolicy(db),
  ]);
  const { vcpu, memory_mb, disk_gb, gpus = 0 } = query;
  const wish = { size: { vcpu, memory_mb, disk_gb }, gpus };
  const checks = placementChecks({ met, host, beside, held, services, images, wish });
  return {
    status: 200,
    body: { fits: checks.every(({ state }) => state !== 'failed'), placement: policy, checks },
  };
};
