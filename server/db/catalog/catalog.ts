import { sql } from 'kysely';
import { cvmSlots } from '../hosts/cvmSlots';
import { NODE_STATE } from '../hosts/takesCvms';
import type { Db } from '../core/client';
import type { InstanceTypeRow } from './instanceTypesTable';
import type { OsImageRow } from './osImagesTable';

export function listActiveInstanceTypes(
  db: Db,
  family?: InstanceTypeRow['family'],
): Promise<InstanceTypeRow[]> {
  return db
    .selectFrom('instance_types')
    .selectAll()
    .where('state', '=', 'active')
    .$if(family !== undefined, (qb) => qb.where('family', '=', family!))
    .orderBy('sort_order')
    .orderBy('hourly_rate_micros')
    .orderBy('id')
    .limit(200)
    .execute();
}

/** Returns an instance type, retired or not; null for a CVM's custom size. */
export const typeNamed = async (db: Db, id: string | null): Promise<InstanceTypeRow | null> =>
  id === null
    ? null
    : ((await db.selectFrom('instance_types').selectAll().where('id', '=', id).executeTakeFirst()) ?? null);

/** Returns whether this installation has a KMS governed by contracts, and whether it sells GPUs. */
export async function offeredFeatures(db: Db): Promise<{ on_chain_kms: boolean; gpu: boolean }> {
  const { rows } = await sql<{ on_chain_kms: boolean; gpu: boolean }>`
    select exists (select from kms where chain_id is not null and state = 'active') as on_chain_kms,
      exists (select from instance_types where state = 'active' and requires_gpu) as gpu`.execute(db);
  return rows[0] ?? { on_chain_kms: false, gpu: false };
}

/** Sorts "0.5.10" above "0.5.9"; names that don't start with a number come last. */
const VERSION_ORDER = sql`coalesce(string_to_array(substring(version from '^[0-9]{1,9}(?:\.[0-9]{1,9})*'), '.')::bigint[], '{}') desc`;

export async function listOsImageRows(
  db: Db,
  query: { is_dev?: boolean; limit: number; offset: number },
): Promise<{ rows: OsImageRow[]; total: number }> {
  const base = db
    .selectFrom('os_images')
    .where('state', '<>', 'retired')
    .$if(query.is_dev !== undefined, (qb) => qb.where('is_dev', '=', query.is_dev!));
  const [rows, count] = await Promise.all([
    base.selectAll().orderBy(VERSION_ORDER).orderBy('name').limit(query.limit).offset(query.offset).execute(),
    base.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.n };
}

/** Returns the images of each of these teepods. */
export async function imagesOf(
  db: Db,
  teepod_ids: number[],
): Promise<(OsImageRow & { teepod_id: number })[]> {
  if (teepod_ids.length === 0) return [];
  // Many hosts have the same few images: each is read once.
  const images = await db
    .selectFrom('os_images')
    .innerJoin('teepod_os_images', 'teepod_os_images.os_image_id', 'os_images.id')
    .selectAll('os_images')
    .select(sql<number[]>`array_agg(teepod_os_images.teepod_id::int)`.as('on_teepods'))
    .where('teepod_os_images.teepod_id', '=', sql<number>`any(${teepod_ids}::bigint[])`)
    .groupBy('os_images.id')
    .execute();
  return images.flatMap(({ on_teepods, ...image }) =>
    on_teepods.map((teepod_id) => ({ ...image, teepod_id })),
  );
}

/**
 * Returns the known facts about an image, by its unique name. An image that no host has reported doesn't count
 * as a development image.
 */
export async function imageNamed(
  db: Db,
  name: string,
): Promise<Pick<OsImageRow, 'name' | 'os_image_hash' | 'is_dev' | 'state'>> {
  const row = await db
    .selectFrom('os_images')
    .select(['name', 'os_image_hash', 'is_dev', 'state'])
    .where('name', '=', name)
    .executeTakeFirst();
  return row ?? { name, os_image_hash: null, is_dev: false, state: 'active' };
}

/** Returns the hash of an image; null while it is unknown. */
export const imageHash = async (db: Db, name: string): Promise<string | null> =>
  (await imageNamed(db, name)).os_image_hash;

/** A teepod as one team's deployers see it, with its node and KMS. */
export interface HostRow {
  teepod_id: number;
  name: string;
  kind: 'dstack_vmm' | 'local';
  listed: boolean;
  teepod_state: 'online' | 'cordoned' | 'draining' | 'offline';
  node_state: 'online' | 'maintenance' | 'offline';
  reachable: boolean;
  version: string | null;
  region: string | null;
  fmspc: string | null;
  device_id: string | null;
  ppid: string | null;
  max_cvms: number;
  max_vcpu: number;
  max_memory_mb: number;
  kms_id: number | null;
  kms_slug: string | null;
  gateway_base_domain: string | null;
}

const hosts = (team_id: number) => sql`
  from teepods t join nodes n on n.id = t.node_id left join kms k on k.id = t.kms_id and k.state = 'active'
  where (t.all_teams or exists (select 1 from teepod_teams tt where tt.teepod_id = t.id and tt.team_id = ${team_id}))`;

const HOST_COLUMNS = sql`
  t.id as teepod_id, t.name, t.kind, t.listed, t.state as teepod_state, ${NODE_STATE} as node_state, t.reachable, t.version,
  n.region, n.fmspc, n.device_id, n.ppid, ${cvmSlots} as max_cvms, t.max_vcpu, t.max_memory_mb,
  k.id as kms_id, k.slug as kms_slug,
  t.gateway_base_domain`;

/** Returns every teepod the team may use, in any state. */
export async function listHosts(
  db: Db,
  query: { team_id: number; limit: number; offset: number },
): Promise<{ rows: HostRow[]; total: number }> {
  const [rows, count] = await Promise.all([
    sql<HostRow>`select ${HOST_COLUMNS} ${hosts(query.team_id)}
      order by t.name, t.id limit ${query.limit} offset ${query.offset}`.execute(db),
    sql<{ n: number }>`select count(*)::int as n ${hosts(query.team_id)}`.execute(db),
  ]);
  return { rows: rows.rows, total: count.rows[0]?.n ?? 0 };
}

/** Returns those of `ids` that the team may use. */
export async function findHosts(db: Db, team_id: number, ids: readonly number[]): Promise<HostRow[]> {
  const { rows } = await sql<HostRow>`select ${HOST_COLUMNS} ${hosts(team_id)}
    and t.id = any(${[...ids]}::bigint[]) limit 500`.execute(db);
  return rows;
}

/** Whether the OS image is for CVMs with a GPU, and doesn't start without one. */
export async function isGpuImage(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('os_images')
    .select('requires_gpu')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.requires_gpu === true;
}

export interface HostImageRow {
  teepod_id: number;
  name: string;
  version: string;
  is_dev: boolean;
  os_image_hash: string | null;
}

/** Returns the images on these teepods, newest first. */
export async function listHostImages(db: Db, teepod_ids: readonly number[]): Promise<HostImageRow[]> {
  const { rows } = await sql<HostImageRow>`
    select ti.teepod_id, i.name, i.version, i.is_dev, i.os_image_hash
    from teepod_os_images ti join os_images i on i.id = ti.os_image_id and i.state <> 'retired'
    where ti.teepod_id = any(${[...teepod_ids]}::bigint[])
    order by ti.teepod_id, ${VERSION_ORDER}, i.name limit 20000`.execute(db);
  return rows;
}
