import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ChipFamily } from '../../domain/attestation/chipFamily';
import { EVIDENCE_PARTS, type EvidencePart } from '../../domain/attestation/guestEvidence';
import type { Db } from '../core/client';
import { isConfirmed } from '../catalog/confirmedImages';
import { joinedCvm, selectCvms, type JoinedCvm } from '../cvms/cvmRows';
import type { CollateralRow } from './collateralTable';
import type { EvidenceRow } from './evidenceTable';

/** Evidence kept per CVM: it changes with a reboot, and with the collateral about once a day. */
const KEPT = 10;

export function findCollateral(db: Db, { fmspc, ca }: ChipFamily): Promise<CollateralRow | undefined> {
  return db
    .selectFrom('collateral')
    .selectAll()
    .where('fmspc', '=', fmspc)
    .where('ca', '=', ca)
    .executeTakeFirst();
}

export async function saveCollateral(
  db: Db,
  row: Pick<CollateralRow, 'fmspc' | 'ca' | 'source' | 'content' | 'next_update'>,
): Promise<void> {
  const { source, content, next_update } = row;
  await db
    .insertInto('collateral')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['fmspc', 'ca']).doUpdateSet({ source, content, next_update, fetched_at: new Date() }),
    )
    .execute();
}

/** Stores a CVM's evidence; identical evidence only updates its time. Deletes the CVM's oldest beyond the limit. */
export async function keepEvidence(
  db: Db,
  given: { team_id: number; cvm_id: number; content: string },
): Promise<void> {
  const content_hash = createHash('sha256').update(given.content).digest();
  const { rows } = await sql<{ fresh: boolean }>`
    insert into evidence (team_id, cvm_id, content_hash, content)
    values (${given.team_id}, ${given.cvm_id}, ${content_hash}, ${given.content})
    on conflict (cvm_id, content_hash) do update set seen_at = now()
    returning collected_at = now() as fresh`.execute(db);
  if (!rows[0]?.fresh) return;
  // The last evidence with a quote stays: without it, a missing quote later would go unnoticed.
  await sql`delete from evidence where id in (
    select id from evidence where cvm_id = ${given.cvm_id} order by seen_at desc, id desc offset ${KEPT})
    and id is distinct from (
      select id from evidence where cvm_id = ${given.cvm_id} and ${has('quote')}
      order by seen_at desc, id desc limit 1)`.execute(db);
}

/** Returns the CVM's latest evidence. */
export function lastEvidence(
  db: Db,
  given: { team_id: number; cvm_id: number },
): Promise<Pick<EvidenceRow, 'content' | 'seen_at'> | undefined> {
  return db
    .selectFrom('evidence')
    .select(['content', 'seen_at'])
    .where('cvm_id', '=', given.cvm_id)
    .where('team_id', '=', given.team_id)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

// The text is our own JSON, with quotation marks in strings escaped, so this matches only the key itself. A
// cast to jsonb fails on an escaped NUL, which a guest may put into its event log.
const has = (part: EvidencePart) => sql<boolean>`position(${`"${part}":"`} in content) > 0`;

/** Returns the parts of evidence the CVM has provided before, within the retained evidence. */
export async function partsGivenBefore(
  db: Db,
  given: { team_id: number; cvm_id: number },
): Promise<EvidencePart[]> {
  const { rows } = await sql<Record<EvidencePart, boolean | null>>`
    select bool_or(${has('quote')}) as quote, bool_or(${has('event_log')}) as event_log,
      bool_or(${has('vm_config')}) as vm_config
    from evidence where cvm_id = ${given.cvm_id} and team_id = ${given.team_id}`.execute(db);
  return EVIDENCE_PARTS.filter((part) => rows[0]?.[part] === true);
}

export interface KnownImageRow {
  name: string;
  version: string;
  os_image_hash: string;
  os_image_hash_source: 'host' | 'evidence' | 'administrator' | null;
  is_dev: boolean;
}

/** Returns the catalog's OS images with a hash that counts as a reference value, the requested one first. */
export async function listKnownImages(db: Db, os_image: string, limit: number): Promise<KnownImageRow[]> {
  const { rows } = await sql<KnownImageRow>`
    select name, version, os_image_hash, os_image_hash_source, is_dev from os_images where ${isConfirmed('os_images')}
    order by name = ${os_image} desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Deletes evidence of deleted CVMs, and stale collateral, which is useful only inside the evidence of its time. */
export const evidenceHousekeeping = [
  sql`delete from evidence where id in (
    select e.id from evidence e join cvms c on c.id = e.cvm_id
    where c.deleted_at < now() - interval '30 days' limit 1000)`,
  sql`delete from collateral where next_update < now() - interval '1 day'`,
];

/** Returns an app's CVMs with their hosts, oldest first. */
export async function cvmsToAsk(
  db: Db,
  { team_id, app_id, limit }: { team_id: number; app_id: number; limit: number },
): Promise<JoinedCvm[]> {
  const { rows } = await sql<Record<string, unknown>>`
    ${selectCvms(
      'full',
      sql`select * from cvms where app_id = ${app_id} and team_id = ${team_id} and deleted_at is null order by id limit ${limit}`,
    )} order by cvm.id`.execute(db);
  return rows.map(joinedCvm);
}
