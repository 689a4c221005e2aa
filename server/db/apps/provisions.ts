import { sql } from 'kysely';
import type { InstanceTypeRow } from '../catalog/instanceTypesTable';
import type { OsImageRow } from '../catalog/osImagesTable';
import { prepared, type Db, type Tx } from '../core/client';
import type { KmsRow } from '../kms/kmsTable';
import type { ProvisionRow } from './provisionsTable';

/** Whether a provision or an app, of this team or any, has this ID (40 hex digits, lowercase). */
export async function isAppIdTaken(db: Db, app_id: string, team_id: number | null = null): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`${prepared}
    select exists (select 1 from provisions where app_id = ${app_id} and team_id = coalesce(${team_id}, team_id))
        or exists (select 1 from apps where app_id = ${app_id} and team_id = coalesce(${team_id}, team_id)) as taken`.execute(
    db,
  );
  return rows[0]?.taken ?? false;
}

/**
 * Returns the network of the app or provision with this ID; null if there is none, or no contract guards it.
 * The same address on two networks counts as one ID.
 */
export async function chainOfAppId(db: Db, app_id: string): Promise<number | null> {
  const { rows } = await sql<{ chain_id: number | null }>`
    select k.chain_id from (
      select kms_id from apps where app_id = ${app_id} union all select kms_id from provisions where app_id = ${app_id}
    ) a join kms k on k.id = a.kms_id limit 1`.execute(db);
  return rows[0]?.chain_id ?? null;
}

export interface LockedProvision extends ProvisionRow {
  /** Null without a KMS, like the next. */
  kms_slug: string | null;
  kms_state: KmsRow['state'] | null;
  /** Null if its host no longer has the image. */
  image_state: OsImageRow['state'] | null;
  /** Null for a custom size. */
  type_state: InstanceTypeRow['state'] | null;
}

/** Returns the team's provision of an app, locked. Its KMS is locked too: it can be retired only while no CVM has it. */
export const lockProvision = (
  trx: Tx,
  team_id: number,
  app_id: string,
): Promise<LockedProvision | undefined> =>
  trx
    .selectFrom('provisions as p')
    .selectAll('p')
    .select([
      sql<string | null>`(select slug from kms where id = p.kms_id)`.as('kms_slug'),
      sql<KmsRow['state'] | null>`(select state from kms where id = p.kms_id for key share)`.as('kms_state'),
      sql<OsImageRow['state'] | null>`(
        select i.state from os_images i join teepod_os_images t on t.os_image_id = i.id
        where i.name = p.os_image and t.teepod_id = p.teepod_id)`.as('image_state'),
      sql<InstanceTypeRow['state'] | null>`(select state from instance_types where id = p.instance_type)`.as(
        'type_state',
      ),
    ])
    .where('p.app_id', '=', app_id)
    .where('p.team_id', '=', team_id)
    .forUpdate()
    .executeTakeFirst();

/** Deletes the team's previous attempt to deploy this name with this ID, unless it was committed. */
export async function deleteOpenProvision(
  db: Db,
  { team_id, name, app_id }: { team_id: number; name: string; app_id: string },
): Promise<void> {
  await db
    .deleteFrom('provisions')
    .where('team_id', '=', team_id)
    .where('name', '=', name)
    .where('app_id', '=', app_id)
    .where('committed_at', 'is', null)
    .execute();
}

/** Deletes a failed deployment's provision with its reserved capacity. */
export async function discardProvision(
  db: Db,
  {
    team_id,
    name,
    app_id,
    compose_hash,
  }: { team_id: number; name: string; app_id: string | null; compose_hash: string },
): Promise<void> {
  await db
    .deleteFrom('provisions')
    .where('team_id', '=', team_id)
    .where('name', '=', name)
    .where('app_id', 'is not distinct from', app_id)
    .where('compose_hash', '=', compose_hash)
    .where('committed_at', 'is', null)
    .execute();
}

export interface OnChainProvision {
  id: number;
  kms: KmsRow;
  /** Device of the host's machine. */
  device_id: string | null;
  os_image_hash: string | null;
  rivals: Rivals | null;
}

/**
 * Other teams' open provisions with the same compose hash and KMS contract. A contract on the chain may belong
 * to one of them.
 */
export interface Rivals {
  /** Whether any is older than the team's first. */
  earlier: boolean;
  /** Wallets that the users who provisioned them linked, and that may be theirs on this network. Lowercase. */
  wallets: readonly string[];
}

/** Returns the team's newest provision that waits for its app's contract. */
export async function openOnChainProvision(
  db: Db,
  team_id: number,
  compose_hash: string,
): Promise<OnChainProvision | undefined> {
  // Runs at every commit, but few provisions wait for a contract, so the rest is read only for those.
  const waiting = await db
    .selectFrom('provisions')
    .select(['id', 'kms_id', 'teepod_id', 'os_image'])
    .where('team_id', '=', team_id)
    .where('compose_hash', '=', compose_hash)
    .where('app_id', 'is', null)
    .where('expires_at', '>', new Date())
    .orderBy('id', 'desc')
    .limit(1)
    .modifyEnd(prepared)
    .executeTakeFirst();
  if (!waiting || waiting.kms_id === null) return undefined;
  const { id, kms_id, teepod_id, os_image } = waiting;
  const kms = await db.selectFrom('kms').selectAll().where('id', '=', kms_id).executeTakeFirst();
  if (!kms) return undefined;
  const { device_id, os_image_hash } = await db
    .selectFrom('teepods')
    .innerJoin('nodes', 'nodes.id', 'teepods.node_id')
    .leftJoin('os_images', (join) => join.on('os_images.name', '=', os_image))
    .select(['nodes.device_id', 'os_images.os_image_hash'])
    .where('teepods.id', '=', teepod_id)
    .executeTakeFirstOrThrow();
  return { id, kms, device_id, os_image_hash, rivals: await rivalsOf(db, team_id, compose_hash, kms) };
}

/**
 * Returns null if there are none. Attempts that their team repeated and committed since don't count as open.
 */
export async function rivalsOf(
  db: Db,
  team_id: number,
  compose_hash: string,
  { chain_id, kms_contract_address }: Pick<KmsRow, 'chain_id' | 'kms_contract_address'>,
): Promise<Rivals | null> {
  const { rows } = await sql<{ own: number | null; other: number | null; wallets: string[] | null }>`
    select min(p.id) filter (where p.team_id = ${team_id}) as own,
           min(p.id) filter (where p.team_id <> ${team_id}) as other,
           array_agg(distinct w.address) filter (where p.team_id <> ${team_id} and w.address is not null) as wallets
    from provisions p join kms k on k.id = p.kms_id left join account_wallets w on w.user_id = p.user_id
      and (w.proof is distinct from 'contract' or w.chain_id = ${chain_id})
    where p.compose_hash = ${compose_hash} and p.app_id is null and p.expires_at > now()
      and k.chain_id = ${chain_id} and lower(k.kms_contract_address) = lower(${kms_contract_address})
      and not exists (
        select from provisions d
        where d.team_id = p.team_id and d.compose_hash = p.compose_hash and d.committed_at is not null and d.id > p.id
      )`.execute(db);
  const { own = null, other = null, wallets = null } = rows[0] ?? {};
  return other === null ? null : { earlier: own === null || other < own, wallets: wallets ?? [] };
}
