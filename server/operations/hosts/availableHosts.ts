import { findHosts, listHostImages, type HostImageRow, type HostRow } from '../../db/catalog/catalog';
import { listKmsRows } from '../../db/kms/kms';
import type { KmsRow } from '../../db/kms/kmsTable';
import { teepodCapacities } from '../../db/hosts/reservations';
import { findTeamById } from '../../db/teams/teams';
import type { AvailableTeepod, TeamCapacity } from '../../../generated/api/types.gen';
import { Problem } from '../../domain/core/problem';
import { availableTeepodOut } from '../../domain/catalog/catalogResponse';
import { teamOf } from '../core/caller';
import type { Context } from '../types';

const MAX_KMS = 100;

export interface AvailableHosts {
  tier: string;
  capacity: TeamCapacity;
  /** Emptiest first. */
  nodes: AvailableTeepod[];
  hosts: HostRow[];
  /** The hosts' key services that new apps can use. */
  kms: KmsRow[];
  /** Key services by teepod. */
  kmsIds: ReadonlyMap<number, readonly number[]>;
  /** By teepod. */
  images: Map<number, HostImageRow[]>;
}

/** Maximum hosts listed, most free slots first. Deployments may use others too. */
const MAX_LISTED = 200;

/** Returns where the team can deploy now, with what each host offers. */
export async function availableHosts(ctx: Context): Promise<AvailableHosts> {
  const team = await findTeamById(ctx.db, teamOf(ctx).id);
  if (!team) throw new Problem('NOT_FOUND');
  const free = await teepodCapacities(ctx.db, { team_id: team.id, limit: MAX_LISTED });
  const ids = free.map((capacity) => capacity.teepod_id);
  const [hosts, found, kms] = await Promise.all([
    findHosts(ctx.db, team.id, ids),
    listHostImages(ctx.db, ids),
    listKmsRows(ctx.db, { limit: MAX_KMS, offset: 0 }),
  ]);
  const images = new Map<number, HostImageRow[]>(ids.map((id) => [id, []]));
  for (const image of found) images.get(image.teepod_id)?.push(image);
  const capacityOf = new Map(free.map((capacity) => [capacity.teepod_id, capacity]));
  const nodes = hosts.flatMap((host) => {
    const capacity = capacityOf.get(host.teepod_id);
    if (!capacity) return [];
    const served = kms.rows.filter((row) => capacity.kms_ids.includes(row.id));
    return [availableTeepodOut(host, capacity, images.get(host.teepod_id) ?? [], served)];
  });
  nodes.sort((a, b) => b.resource_score - a.resource_score || a.teepod_id - b.teepod_id);
  const usable = new Set(free.flatMap((capacity) => capacity.kms_ids));
  return {
    tier: team.tier,
    capacity: {
      max_instances: team.max_cvms,
      max_vcpu: team.max_vcpu,
      max_memory: team.max_memory_mb,
      max_disk: team.max_disk_gb,
    },
    nodes,
    hosts,
    kms: kms.rows.filter((row) => usable.has(row.id)),
    kmsIds: new Map(free.map(({ teepod_id, kms_ids }) => [teepod_id, kms_ids])),
    images,
  };
}
