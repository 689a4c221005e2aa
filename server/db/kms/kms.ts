import { sql } from 'kysely';
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
      select first.public_id from kms first
      where first.k256_pubkey = kms.k256_pubkey and first.chain_id is not distinct from kms.chain_id
        and lower(first.kms_contract_address) is not distinct from lower(kms.kms_contract_address)
      order by first.id limit 1
    ), kms.public_id) as first_public_id
    from kms
    where public_id = ${public_id} or slug = ${lower} or id::text = ${name}
       or ((${TYPES.has(lower)} and type = ${lower} or ${ON_CHAIN.has(lower)} and chain_id = ${LOCAL} or lower(kms_contract_address) = ${lower}) and state = 'active')
    order by public_id = ${public_id} desc, slug = ${lower} desc, id::text = ${name} desc, type = ${lower} desc, id limit 1`.execute(
    db,
  );
  return rows[0];
}

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
