import { sql, type RawBuilder } from 'kysely';
import { chainIdOf } from '../../../console/lib/kms/chains';
import type { Db } from '../core/client';
import type { KmsRow } from './kmsTable';

/** KMS types by which clients name the only service of a kind. */
const TYPES: ReadonlySet<string> = new Set(['phala', 'ethereum', 'base', 'legacy']);
/**
 * Types that a KMS on the development chain stands in for if there is none, because clients can't name that
 * chain.
 */
const ON_CHAIN: ReadonlySet<string> = new Set(['ethereum', 'base']);
const LOCAL = chainIdOf('local');

/** Whether services `k` and `r` share a valid root key and their contract. While the key is replaced, each has two. */
const SHARES_KEY = sql<boolean>`(array[r.k256_pubkey, r.next_k256_pubkey] && array[k.k256_pubkey, k.next_k256_pubkey]
  and r.chain_id is not distinct from k.chain_id
  and lower(r.kms_contract_address) is not distinct from lower(k.kms_contract_address))`;

/** The row IDs of the services that are one to apps, by the rule of `kmsGroups`. @param id of one of them */
export const replicasOf = (id: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with recursive replicas(id) as (
    select ${id}
    union
    select r.id from replicas same join kms k on k.id = same.id join kms r on ${SHARES_KEY}
  ) select id from replicas)`;

/** A KMS with the public ID of the oldest one in its contract, by the rule of `kmsGroups`. */
export interface FoundKms extends KmsRow {
  first_public_id: string;
}

/**
 * Returns a KMS by public ID, slug, or type name in any case, by its number, or by its contract's ID or address. An ID or
 * slug also finds a retired one, which still serves its CVMs; a type or address means the oldest active one. The ID
 * of a contract is that of its oldest KMS (`kmsContractId`).
 */
export async function findKms(db: Db, name: string): Promise<FoundKms | undefined> {
  const lower = name.toLowerCase();
  const public_id = name.replace(/^kmsc_/, 'kms_');
  const { rows } = await sql<FoundKms>`
    select kms.*, coalesce((
      select first.public_id from kms first where first.id in ${replicasOf(sql`kms.id`)} order by first.id limit 1
    ), kms.public_id) as first_public_id
    from kms
    where public_id = ${public_id} or slug = ${lower} or id::text = ${name}
       or ((${TYPES.has(lower)} and type = ${lower} or ${ON_CHAIN.has(lower)} and chain_id = ${LOCAL} or lower(kms_contract_address) = ${lower}) and state = 'active')
    order by public_id = ${public_id} desc, slug = ${lower} desc, id::text = ${name} desc, type = ${lower} desc, id limit 1`.execute(
    db,
  );
  return rows[0];
}

/** Records that a KMS presents this pinned root key, which is one of two. */
export const notePresented = (db: Db, id: number, key: string) =>
  db
    .updateTable('kms')
    .set({ seen_k256_pubkey: key })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('k256_pubkey', '=', key), eb('next_k256_pubkey', '=', key)]))
    .execute();

export interface KmsQuery {
  /** True: only those governed by a chain; false: only others. */
  is_onchain?: boolean;
  limit: number;
  offset: number;
}

/** Lists those that new apps can use. */
export async function listKmsRows(db: Db, query: KmsQuery): Promise<{ rows: KmsRow[]; total: number }> {
  const base = db
    .selectFrom('kms')
    .where('state', '=', 'active')
    .$if(query.is_onchain !== undefined, (qb) =>
      qb.where('chain_id', query.is_onchain ? 'is not' : 'is', null),
    );
  const [rows, count] = await Promise.all([
    base.selectAll().orderBy('id').limit(query.limit).offset(query.offset).execute(),
    base.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: count.n };
}

export interface KmsContractRow {
  kms_contract_address: string;
  devices: { device_id: string; node_name: string }[];
  os_images: { name: string; version: string; os_image_hash: string | null }[];
}

const usesKms = sql`(t.kms_id = k.id or exists (select 1 from teepod_kms x where x.teepod_id = t.id and x.kms_id = k.id))`;

/** Returns one chain's contracts with the hosts and images behind each. */
export async function listKmsContracts(db: Db, chain_id: number): Promise<KmsContractRow[]> {
  const { rows } = await sql<KmsContractRow>`
    select k.kms_contract_address,
      coalesce((select json_agg(distinct jsonb_build_object('device_id', n.device_id, 'node_name', n.name))
                from teepods t join nodes n on n.id = t.node_id
                where ${usesKms} and n.device_id is not null), '[]') as devices,
      coalesce((select json_agg(distinct jsonb_build_object('name', i.name, 'version', i.version, 'os_image_hash', i.os_image_hash))
                from teepods t join teepod_os_images ti on ti.teepod_id = t.id join os_images i on i.id = ti.os_image_id
                where ${usesKms}), '[]') as os_images
    from kms k
    where k.chain_id = ${chain_id} and k.kms_contract_address is not null and k.state = 'active'
    order by k.id limit 100`.execute(db);
  return rows;
}
