import { findHosts, listHostImages, type HostImageRow } from '../../db/catalog/catalogue';
import { listKmsRows } from '../../db/kms/kms';
import { teepodCapacities } from '../../db/hosts/reservations';
import { findTeamById } from '../../db/teams/teams';
import { Problem } from '../../domain/core/problem';
import { availableTeepodOut, kmsOut } from '../../domain/catalog/catalogResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

const MAX_KMS = 100;

/** Lists where the team can deploy now, emptiest first, with what each host offers. */
export const listAvailableTeepods: Handler<'listAvailableTeepods'> = async ({ ctx }) => {
  const team = await findTeamById(ctx.db, teamOf(ctx).id);
  if (!team) throw new Problem('NOT_FOUND');
  const free = await teepodCapacities(ctx.db, { team_id: team.id });
  const ids = free.map((capacity) => capacity.teepod_id);
  const [hosts, images, kms] = await Promise.all([
    findHosts(ctx.db, team.id, ids),
    listHostImages(ctx.db, ids),
    listKmsRows(ctx.db, { limit: MAX_KMS, offset: 0 }),
  ]);
  const imagesOf = new Map<number, HostImageRow[]>(ids.map((id) => [id, []]));
  for (const image of images) imagesOf.get(image.teepod_id)?.push(image);
  const capacityOf = new Map(free.map((capacity) => [capacity.teepod_id, capacity]));
  const nodes = hosts.flatMap((host) => {
    const capacity = capacityOf.get(host.teepod_id);
    return capacity ? [availableTeepodOut(host, capacity, imagesOf.get(host.teepod_id) ?? [])] : [];
  });
  nodes.sort((a, b) => b.resource_score - a.resource_score || a.teepod_id - b.teepod_id);
  const usable = new Set(hosts.map((host) => host.kms_id));
  return {
    status: 200,
    body: {
      tier: team.tier,
      capacity: {
        max_instances: team.max_cvms,
        max_vcpu: team.max_vcpu,
        max_memory: team.max_memory_mb,
        max_disk: team.max_disk_gb,
      },
      nodes,
      kms_list: kms.rows.filter((row) => usable.has(row.id)).map(kmsOut),
    },
  };
};
