import { sql, type Generated, type RawBuilder } from 'kysely';
import type { KmsRow } from '../kms/kmsTable';
import type { Db } from '../core/client';
import { publicAppsWhere, type PublicAppRow } from './publicApps';

/**
 * One row per published app, with the explorer's search fields. Written by triggers (migration
 * 0270_explorer_apps).
 */
export interface ExplorerAppsTable {
  app_id: number;
  changed_at: Date;
  /** Random tie-breaker for apps with the same time. */
  position: Generated<string>;
  /** In lowercase. */
  name: string;
  tags: string[];
}

/** Position of a page's end: after this app, in order of change. */
export interface ExplorerPlace {
  changed_at: Date;
  position: string;
}

interface ExplorerFilter {
  q?: string | undefined;
  trust?: 'hardware' | 'simulated' | undefined;
  os_image?: string | undefined;
  kms?: KmsRow['type'] | undefined;
  /** Only apps with a GPU. */
  gpu?: boolean | undefined;
}

interface Page extends ExplorerFilter {
  /** The last app of the previous page. */
  after?: ExplorerPlace | undefined;
  limit: number;
}

/** Apps sorted per page. With more, the newest are searched until some match. */
const SORTED = 5_000;

/**
 * Returns the rows of apps with these tags. The planner would walk all apps from the newest, which is slow when
 * few or none match: it estimates an unused tag at one app in two hundred.
 */
async function taggedApps(db: Db, tags: string[], sorted: number): Promise<RawBuilder<unknown>> {
  const matching = sql`select * from explorer_apps where tags @> ${tags}::text[]`;
  const { rows } = await sql<{ is_few: boolean }>`
    select count(*) <= ${sorted} as is_few from (${matching} limit ${sorted + 1}) found`.execute(db);
  // Without "offset 0" PostgreSQL would merge the two queries and follow the order of the outer one.
  return rows[0]?.is_few ? sql`(${matching} offset 0)` : sql`(${matching})`;
}

/** `like` patterns have three special characters. */
const literal = (text: string) => text.replace(/[\\%_]/g, (char) => `\\${char}`);

/** Returns published apps, most recently changed first; one more than `limit` if there is another page. */
export async function listPublicApps(
  db: Db,
  { q, trust, os_image, kms, gpu, after, limit }: Page,
  sorted = SORTED,
): Promise<(PublicAppRow & ExplorerPlace)[]> {
  const text = q?.trim().toLowerCase() ?? '';
  const [, id] = /^(?:app_)?(?:0x)?([0-9a-f]{1,40})$/.exec(text) ?? [];
  const byId =
    id === undefined
      ? sql``
      : // Digits and letters sort before "g" in every collation.
        sql`or e.app_id in (select id from apps where app_id >= ${id} and app_id < ${`${id}g`})`;
  const tags = [
    ...(trust === undefined ? [] : [trust]),
    ...(os_image === undefined ? [] : [`os:${os_image}`]),
    ...(kms === undefined ? [] : [`kms:${kms}`]),
    ...(gpu ? ['gpu'] : []),
  ];
  return publicAppsWhere<ExplorerPlace>(
    db,
    sql`true
      ${after === undefined ? sql`` : sql`and (e.changed_at, e.position) < (${after.changed_at}, ${after.position}::uuid)`}
      ${text === '' ? sql`` : sql`and (e.name like ${`%${literal(text)}%`} ${byId})`}
      order by e.changed_at desc, e.position desc limit ${limit + 1}`,
    tags.length === 0 ? undefined : await taggedApps(db, tags, sorted),
  );
}

/** Limit of the choices shown to visitors. */
const MAX_IMAGES = 100;

/**
 * Returns filter choices from published apps: one index step per OS image, regardless of the number of apps.
 */
export async function explorerChoices(db: Db): Promise<{ os_images: string[]; kms_types: KmsRow['type'][] }> {
  const [images, types] = await Promise.all([
    sql<{ os_image: string }>`
      with recursive found as (
        (select os_image, 1 as n from cvms where listed and deleted_at is null order by os_image limit 1)
        union all
        select (select c.os_image from cvms c where c.listed and c.deleted_at is null and c.os_image > f.os_image
          order by c.os_image limit 1), n + 1
        from found f where f.os_image is not null and n < ${MAX_IMAGES}
      )
      select os_image from found where os_image is not null`.execute(db),
    sql<{ type: KmsRow['type'] }>`select distinct type from kms order by type`.execute(db),
  ]);
  return {
    os_images: images.rows.map(({ os_image }) => os_image),
    kms_types: types.rows.map(({ type }) => type),
  };
}
