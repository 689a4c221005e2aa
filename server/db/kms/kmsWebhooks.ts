import { sql } from 'kysely';
import { isMeasured, type ExpectedBoot } from '../../domain/kms/bootRule';
import { hashToken, newToken, tokenHint, tokenPrefix } from '../../domain/teams/token';
import { isConfirmed } from '../catalog/confirmedImages';
import type { Db, Tx } from '../core/client';
import { replicasOf } from './kms';

/** A key service that may query this server, and the inputs of the answers. */
export interface AskingKms {
  id: number;
  slug: string;
  state: 'active' | 'retiring' | 'retired';
  chain_id: number | null;
  kms_contract_address: string | null;
  gateway_app_id: string | null;
  tcb_statuses: string[];
  advisory_ids: string[];
  aggregated_mrs: string[];
}

/** Returns the key service with this webhook token. */
export async function askingKms(db: Db, token: string): Promise<AskingKms | undefined> {
  return db
    .selectFrom('kms')
    .innerJoin('kms_tokens', 'kms_tokens.kms_id', 'kms.id')
    .select([
      'kms.id',
      'kms.slug',
      'kms.state',
      'kms.chain_id',
      'kms.kms_contract_address',
      'kms.gateway_app_id',
      'kms.tcb_statuses',
      'kms.advisory_ids',
      'kms.aggregated_mrs',
    ])
    .where('kms_tokens.token_hash', '=', hashToken(token))
    .executeTakeFirst();
}

/** Replaces the token of a key service, and returns it: only its hash is stored. */
export async function replaceKmsToken(trx: Tx, kms_id: number): Promise<{ token: string; hint: string }> {
  const token = newToken('kms');
  await setKmsToken(trx, kms_id, token);
  return { token, hint: tokenHint(partsOf(token)) };
}

const partsOf = (token: string) => ({ token_prefix: tokenPrefix(token), token_last4: token.slice(-4) });

export async function setKmsToken(trx: Tx, kms_id: number, token: string): Promise<void> {
  const current = { token_hash: hashToken(token), ...partsOf(token), created_at: new Date() };
  await trx
    .insertInto('kms_tokens')
    .values({ kms_id, ...current })
    .onConflict((conflict) => conflict.column('kms_id').doUpdateSet(current))
    .execute();
}

/** Returns whether there was one. */
export async function revokeKmsToken(trx: Tx, kms_id: number): Promise<boolean> {
  const row = await trx
    .deleteFrom('kms_tokens')
    .where('kms_id', '=', kms_id)
    .returning('kms_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a key service has this server as its webhook. */
export async function asksHere(db: Db, kms_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('kms_tokens')
    .select('kms_id')
    .where('kms_id', '=', kms_id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a key service's request, at most once per minute. */
export async function noteAsked(db: Db, kms_id: number): Promise<void> {
  await db
    .updateTable('kms_tokens')
    .set({ asked_at: new Date() })
    .where('kms_id', '=', kms_id)
    .where((eb) => eb.or([eb('asked_at', 'is', null), eb('asked_at', '<', new Date(Date.now() - 60_000))]))
    .execute();
}

/** Far more than an app has. */
const MAX_BOOTS = 10_000;

/**
 * Returns the team of an app with keys from this KMS, and what its CVMs should boot: their current revision,
 * and the one of an operation in progress. A hash of an OS image that only hosts reported counts as unknown.
 */
export async function expectedBoots(
  db: Db,
  kms_id: number,
  app_id: string,
): Promise<{ team_id: number | null; boots: ExpectedBoot[] }> {
  const { rows } = await sql<ExpectedBoot & { team_id: number }>`
    select distinct a.team_id, v.compose_hash, n.device_id,
      case when ${isConfirmed('i')} then i.os_image_hash end as os_image_hash
    from apps a
    join cvms c on c.app_id = a.id and c.deleted_at is null
    join teepods t on t.id = c.teepod_id join nodes n on n.id = t.node_id
    left join operations o on o.cvm_id = c.id and o.state in ('queued', 'running')
    join revisions v on v.id in (c.revision_id, (o.payload ->> 'revision_id')::bigint)
    left join os_images i on i.name in (c.os_image, o.payload ->> 'os_image')
    where a.app_id = ${app_id} and coalesce(c.kms_id, a.kms_id, t.kms_id) in ${replicasOf(sql`${kms_id}::bigint`)}
    limit ${MAX_BOOTS}`.execute(db);
  return { team_id: rows[0]?.team_id ?? null, boots: rows };
}

/** Returns the team of an app with keys from this KMS, in use or not. */
export async function teamOfApp(db: Db, kms_id: number, app_id: string): Promise<number | null> {
  const { rows } = await sql<{ team_id: number }>`
    select a.team_id from apps a
    where a.app_id = ${app_id} and a.kms_id in ${replicasOf(sql`${kms_id}::bigint`)} limit 1`.execute(db);
  return rows[0]?.team_id ?? null;
}

/** Returns whether this server knows an OS image and a machine by their hashes. */
export async function knownPlatform(
  db: Db,
  { os_image_hash, device_id }: { os_image_hash: string; device_id: string },
): Promise<{ is_image_known: boolean; is_device_known: boolean }> {
  const bare = (column: string) => sql`lower(regexp_replace(${sql.ref(column)}, '^0x', ''))`;
  const { rows } = await sql<{ is_image_known: boolean; is_device_known: boolean }>`
    select exists (select 1 from os_images where ${bare('os_image_hash')} = ${os_image_hash}
             and ${isConfirmed('os_images')}) as is_image_known,
           exists (select 1 from nodes where ${bare('device_id')} = ${device_id}) as is_device_known`.execute(
    db,
  );
  return {
    is_image_known: isMeasured(os_image_hash) && rows[0]?.is_image_known === true,
    is_device_known: isMeasured(device_id) && rows[0]?.is_device_known === true,
  };
}
