import { sql } from 'kysely';
import type { AppFilterOptions } from '../../../generated/api/types.gen';
import type { Db } from '../core/client';

/** Returns the values of the team's CVMs for each filter of `listApps`, in the form it accepts, in one query. */
export async function appFilterOptions(db: Db, team_id: number): Promise<AppFilterOptions> {
  const some = (column: string, most: number) =>
    sql`(array_agg(distinct ${sql.ref(column)} order by ${sql.ref(column)}) filter (where ${sql.ref(column)} is not null))[1:${sql.lit(most)}]`;
  const { rows } = await sql<Record<keyof AppFilterOptions, string[] | null>>`
    select ${some('c.status', 100)} as statuses, ${some('c.os_image', 200)} as image_versions,
      ${some('c.instance_type', 200)} as instance_types, ${some('k.slug', 200)} as kms_slugs,
      ${some('k.type', 10)} as kms_types, ${some('n.region', 200)} as regions, ${some('t.name', 200)} as nodes
    from cvms c
    join apps a on a.id = c.app_id
    join teepods t on t.id = c.teepod_id
    join nodes n on n.id = t.node_id
    left join kms k on k.id = a.kms_id
    where c.team_id = ${team_id} and c.deleted_at is null`.execute(db);
  const found = rows[0];
  return {
    statuses: found?.statuses ?? [],
    image_versions: found?.image_versions ?? [],
    instance_types: found?.instance_types ?? [],
    kms_slugs: found?.kms_slugs ?? [],
    kms_types: found?.kms_types ?? [],
    regions: found?.regions ?? [],
    nodes: found?.nodes ?? [],
  };
}
