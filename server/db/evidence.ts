import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { ChipFamily } from '../domain/chip';
import type { Db } from './client';
import { joinedCvm, selectCvms, type JoinedCvm } from './cvmRows';
import type { CollateralRow, EvidenceRow } from './schemaEvidence';

/** Evidence of a CVM that is kept: it changes with a reboot, and with the collateral about once a day. */
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

/** Remembers what a CVM gave: the same again only moves its time. The oldest of the CVM make room. */
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
  await sql`delete from evidence where id in (
    select id from evidence where cvm_id = ${given.cvm_id} order by seen_at desc, id desc offset ${KEPT})`.execute(
    db,
  );
}

/** What it gave last. */
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

export interface KnownImageRow {
  name: string;
  version: string;
  os_image_hash: string;
  is_dev: boolean;
}

/** OS images of the catalogue that have a hash, the one asked for first. */
export async function listKnownImages(db: Db, os_image: string, limit: number): Promise<KnownImageRow[]> {
  const { rows } = await sql<KnownImageRow>`
    select name, version, os_image_hash, is_dev from os_images where os_image_hash is not null
    order by name = ${os_image} desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** Of CVMs that are gone; and collateral that is stale, which is of use only inside the evidence of its time. */
export const evidenceHousekeeping = [
  sql`delete from evidence where id in (
    select e.id from evidence e join cvms c on c.id = e.cvm_id
    where c.deleted_at < now() - interval '30 days' limit 1000)`,
  sql`delete from collateral where next_update < now() - interval '1 day'`,
];

/** CVMs of an app with their hosts, oldest first. */
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
