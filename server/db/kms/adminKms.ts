import { sql } from 'kysely';
import type { AdminKms, AdminKmsContract } from '../../../generated/api/types.gen';
import { CHAINS, type ChainName } from '../../../console/lib/kms/chains';
import { isConfirmed } from '../catalog/confirmedImages';
import type { AdminFieldKind, AdminListSource } from '../core/adminSource';
import type { Tx } from '../core/client';
import type { KmsRow } from './kmsTable';
import type { KmsContractRow } from './kmsContractsTable';

/** A chain's API name, for sorting and filtering. */
const CHAIN = (column: string) => sql`case ${sql.ref(column)}
  ${sql.join(
    CHAINS.map(({ id, slug }) => sql`when ${sql.lit(id)} then ${sql.lit(slug)}`),
    sql` `,
  )} end`;

/** As `presentsWhich` says, for sorting and filtering. */
const PRESENTS = sql`case
  when k.seen_k256_pubkey is null or k.k256_pubkey is null then null
  when lower(k.seen_k256_pubkey) = lower(k.k256_pubkey) then 'current'
  when lower(k.seen_k256_pubkey) = lower(k.next_k256_pubkey) then 'next'
  else 'other' end`;

export interface AdminKmsRow extends KmsRow {
  chain: ChainName | null;
  local: boolean;
  teepod_count: number;
  contract_count: number;
  app_count: number;
  cvm_count: number;
  /** Start and end of its webhook token. */
  webhook_token: string | null;
  webhook_asked_at: Date | null;
}

/** The teepods whose CVMs may get their keys from a KMS, as the host's own or a further one. */
const users = sql`(select kms_id, id, kind from teepods
  union select x.kms_id, t.id, t.kind from teepod_kms x join teepods t on t.id = x.teepod_id) users`;

export const adminKms: AdminListSource<AdminKmsRow> = {
  fields: {
    id: 'integer',
    slug: 'text',
    type: 'text',
    local: 'boolean',
    url: 'text',
    version: 'text',
    state: 'text',
    health: 'text',
    k256_pubkey: 'text',
    next_k256_pubkey: 'text',
    presents: 'text',
    ca_pubkey: 'text',
    seen_k256_pubkey: 'text',
    seen_ca_pubkey: 'text',
    chain: 'text',
    kms_contract_address: 'text',
    gateway_app_id: 'text',
    teepod_count: 'integer',
    contract_count: 'integer',
    app_count: 'integer',
    cvm_count: 'integer',
    notices: 'none',
    checked_at: 'time',
    answered_at: 'time',
    last_error: 'text',
    attestation_requests: 'integer',
    attestation_failures: 'integer',
    metrics_at: 'time',
    metrics_error: 'text',
    tcb_statuses: 'none',
    advisory_ids: 'none',
    aggregated_mrs: 'none',
    webhook_token: 'text',
    webhook_asked_at: 'time',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminKms, AdminFieldKind>,
  searched: ['slug', 'url', 'k256_pubkey', 'next_k256_pubkey', 'kms_contract_address'],
  // One scan of each table instead of one per KMS.
  select: sql<AdminKmsRow>`
    select k.*, ${CHAIN('k.chain_id')} as chain, coalesce(p.local, false) as local, coalesce(p.count, 0) as teepod_count,
           coalesce(n.count, 0) as contract_count, coalesce(a.count, 0) as app_count, coalesce(c.count, 0) as cvm_count,
           w.token_prefix || '…' || w.token_last4 as webhook_token, w.asked_at as webhook_asked_at,
           ${PRESENTS} as presents
    from kms k
    left join kms_tokens w on w.kms_id = k.id
    left join (select kms_id, count(*)::int as count, bool_or(kind = 'local') as local from ${users} group by 1) p
      on p.kms_id = k.id
    left join (select kms_id, count(*)::int as count from kms_contracts group by 1) n on n.kms_id = k.id
    left join (select kms_id, count(*)::int as count from apps where archived_at is null group by 1) a on a.kms_id = k.id
    left join (select kms_id, count(*)::int as count from cvms where deleted_at is null group by 1) c on c.kms_id = k.id`,
};

export const lockKms = (trx: Tx, id: number) =>
  trx.selectFrom('kms').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

export interface KmsUse {
  local: boolean;
  teepods: number;
  contracts: number;
  /** Including recycled ones, which may be restored. */
  cvms: number;
  /** Apps of these CVMs. */
  apps: number;
  /** Rows of any age that refer to it. */
  past: number;
}

/** Whether a KMS is one of the local teepod's own. */
export async function isBuiltInKms(trx: Tx, id: number): Promise<boolean> {
  const { rows } = await sql`select 1 from ${users} where kms_id = ${id} and kind = 'local' limit 1`.execute(
    trx,
  );
  return rows.length > 0;
}

/** Counts what depends on a KMS. */
export async function kmsUse(trx: Tx, id: number): Promise<KmsUse> {
  const { rows } = await sql<KmsUse>`select
      exists (select 1 from ${users} where kms_id = ${id} and kind = 'local') as local,
      (select count(*)::int from ${users} where kms_id = ${id}) as teepods,
      (select count(*)::int from kms_contracts where kms_id = ${id}) as contracts,
      (select count(*)::int from cvms where kms_id = ${id} and (deleted_at is null or purge_at is not null)) as cvms,
      (select count(distinct app_id)::int from cvms
        where kms_id = ${id} and (deleted_at is null or purge_at is not null)) as apps,
      (select count(*)::int from cvms where kms_id = ${id}) + (select count(*)::int from apps where kms_id = ${id})
        + (select count(*)::int from provisions where kms_id = ${id}) as past`.execute(trx);
  return rows[0] ?? { local: false, teepods: 0, contracts: 0, cvms: 0, apps: 0, past: 0 };
}

export interface AdminKmsContractRow extends KmsContractRow {
  chain: ChainName;
  kms_k256_pubkey: string | null;
  kms_next_k256_pubkey: string | null;
  kms_ca_pubkey: string | null;
  /** Names of images and machines by their hashes, 0x and lowercase. */
  image_names: Record<string, string>;
  node_names: Record<string, string>;
}

const hash = (column: string) => sql`'0x' || lower(regexp_replace(${sql.ref(column)}, '^0x', ''))`;

export const adminKmsContracts: AdminListSource<AdminKmsContractRow> = {
  fields: {
    id: 'integer',
    label: 'text',
    chain: 'text',
    address: 'text',
    kms_id: 'integer',
    state: 'text',
    health: 'text',
    notices: 'none',
    code_present: 'none',
    owner: 'none',
    pending_owner: 'none',
    app_implementation: 'none',
    gateway_app_id: 'none',
    k256_pubkey: 'none',
    ca_pubkey: 'none',
    keys_match: 'none',
    app_count: 'none',
    os_images: 'none',
    devices: 'none',
    aggregated_mrs: 'none',
    complete: 'none',
    read_at: 'time',
    block_number: 'integer',
    block_at: 'time',
    attempted_at: 'time',
    last_error: 'text',
    created_at: 'time',
    updated_at: 'time',
  } satisfies Record<keyof AdminKmsContract, AdminFieldKind>,
  searched: ['label', 'address'],
  select: sql<AdminKmsContractRow>`
    select n.*, ${CHAIN('n.chain_id')} as chain, k.k256_pubkey as kms_k256_pubkey,
           k.next_k256_pubkey as kms_next_k256_pubkey, k.ca_pubkey as kms_ca_pubkey,
           coalesce((select jsonb_object_agg(i.hash, i.name) from (
             select ${hash('os_image_hash')} as hash, max(name) as name from os_images
             where ${isConfirmed('os_images')} group by 1 limit 1000) i), '{}') as image_names,
           coalesce((select jsonb_object_agg(d.hash, d.name) from (
             select ${hash('device_id')} as hash, max(name) as name from nodes
             where device_id is not null group by 1 limit 1000) d), '{}') as node_names
    from kms_contracts n left join kms k on k.id = n.kms_id`,
};

export const lockKmsContract = (trx: Tx, id: number) =>
  trx.selectFrom('kms_contracts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
