import { sql, type Generated, type RawBuilder } from 'kysely';
import type { Db } from '../core/client';
import { prepared } from '../core/client';
import type { PublicAppFields } from '../../domain/public/publicAppResponse';
import { joinedCvm, selectCvms, type JoinedCvm } from '../cvms/cvmRows';

export interface PublicAppRow extends PublicAppFields {
  id: number;
}

/** CVMs and revisions shown on an app's page, and CVMs verified for its badge. */
export const MAX_SHOWN = 100;

/** Whether visitors see CVM `c`. */
export const PUBLISHED = sql`c.listed and c.deleted_at is null`;

/**
 * Returns published apps `a` with their explorer row `e`, and totals over their published CVMs. Excludes apps
 * without one, of a deleted team, or delisted. @param rest the rest of the query, starting with its conditions
 * @param explorerRows the rows `e` to choose from
 */
export async function publicAppsWhere<T>(
  db: Db,
  rest: RawBuilder<unknown>,
  explorerRows: RawBuilder<unknown> = sql`explorer_apps`,
): Promise<(PublicAppRow & T)[]> {
  const { rows } = await sql<PublicAppRow & T>`
    select a.id, a.app_id, a.name, t.name as team_name, a.created_at, e.changed_at, e.position,
      p.cvm_count, p.running_count, p.is_simulated
    from ${explorerRows} e join apps a on a.id = e.app_id and a.listing_refused_at is null
    join teams t on t.id = a.team_id and t.deleted_at is null
    join lateral (
      select count(*)::int as cvm_count, count(*) filter (where c.status = 'running')::int as running_count,
        bool_and(h.kind = 'local') as is_simulated
      from cvms c join teepods h on h.id = c.teepod_id where c.app_id = a.id and ${PUBLISHED}
    ) p on p.cvm_count > 0
    where ${rest}`.execute(db);
  return rows;
}

export async function findPublicApp(db: Db, app_id: string): Promise<PublicAppRow | undefined> {
  const [app] = await publicAppsWhere(db, sql`a.app_id = ${app_id} limit 1`);
  return app;
}

/** Returns the app's published CVMs, running ones first, with everything that collecting their evidence needs. */
export async function publicCvms(db: Db, id: number): Promise<JoinedCvm[]> {
  const { rows } = await sql<Record<string, unknown>>`${prepared}
    ${selectCvms(
      'full',
      sql`select c.* from cvms c where c.app_id = ${id} and ${PUBLISHED}
        order by (c.status = 'running') desc, c.id limit ${MAX_SHOWN}`,
    )}
    order by (cvm.status = 'running') desc, cvm.id`.execute(db);
  return rows.map(joinedCvm);
}

/** A version of an app that visitors could read (migration 0207_published_revisions). Written by a trigger on `cvms`. */
export interface PublishedRevisionsTable {
  app_id: number;
  number: number;
  revision_id: number;
  published_at: Generated<Date>;
}

interface PublicRevisionRow {
  number: number;
  compose_hash: string;
  os_image: string | null;
  created_at: Date;
  live_at: Date | null;
  /** The version published before it; null if there is none, or if it was never published itself. */
  changed_from: number | null;
}

export async function publicRevisions(db: Db, id: number): Promise<PublicRevisionRow[]> {
  const { rows } = await sql<PublicRevisionRow>`
    select r.number, r.compose_hash, r.os_image, r.created_at, r.live_at,
      case when exists (select from published_revisions p where p.app_id = r.app_id and p.number = r.number) then (
        select b.number from published_revisions b where b.app_id = r.app_id and b.number < r.number
        order by b.number desc limit 1) end as changed_from
    from revisions r where r.app_id = ${id} order by r.number desc limit ${MAX_SHOWN}`.execute(db);
  return rows;
}

/** Returns the owner changes of the contract that guards the app's keys, newest first. */
export async function publicOwnerChanges(db: Db, id: number) {
  const { rows } = await sql<{ owner: string; tx_hash: string; at: Date }>`
    select e.value as owner, e.tx_hash, e.at
    from apps a join kms k on k.id = a.kms_id
    join contract_indexes i on i.chain_id = k.chain_id and i.address = '0x' || a.app_id
    join contract_events e on e.contract_id = i.id and e.kind = 'OwnershipTransferred'
    where a.id = ${id} order by e.block_number desc, e.log_index desc limit ${MAX_SHOWN}`.execute(db);
  return rows;
}

export interface PublishedVersion {
  /** Row ID. */
  id: number;
  number: number;
  compose_hash: string;
  os_image: string | null;
  created_at: Date;
}

/** Returns a version that was published and the one published before it; fewer if there are none. */
export async function publishedVersions(db: Db, id: number, number: number): Promise<PublishedVersion[]> {
  const { rows } = await sql<PublishedVersion>`
    select r.id, r.number, r.compose_hash, r.os_image, r.created_at
    from published_revisions p join revisions r on r.id = p.revision_id
    where p.app_id = ${id} and p.number <= ${number} order by p.number desc limit 2`.execute(db);
  return rows[0]?.number === number ? rows : [];
}

/** Whether a Compose file belongs only to versions of the app that were never published. */
export async function isUnpublishedCompose(db: Db, id: number, compose_hash: string): Promise<boolean> {
  const { rows } = await sql<{ is_published: boolean }>`
    select exists (select from published_revisions p where p.revision_id = r.id) as is_published
    from revisions r where r.app_id = ${id} and r.compose_hash = ${compose_hash}`.execute(db);
  return rows.length > 0 && !rows.some(({ is_published }) => is_published);
}

/** Whether the app's team has added this domain to it, directly or by a wildcard, and DNS agrees. */
export async function hasVerifiedDomain(db: Db, id: number, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom('domains')
    .select('id')
    .where('app_id', '=', id)
    .where('domain', 'in', [domain, domain.replace(/^[^.]+/, '*')])
    .where('state', '=', 'verified')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
