import { sql, type RawBuilder } from 'kysely';

/* Targets whose records have a page in the admin area. Of those of other kinds, only what the entry says is known. */

/** Of entry `l`: null for the IDs of other kinds of records, and for numbers that no record can have. */
const number = sql`case when l.target_id ~ '^[0-9]{1,9}$' then l.target_id::int end`;

const named = (
  kind: string,
  resource: string,
  { id, name, from }: Record<'id' | 'name' | 'from', RawBuilder<unknown>>,
) => sql`select ${sql.lit(resource)} as resource, ${id}::text as id, ${name} as name from ${from}
  and l.target_kind = ${sql.lit(kind)}`;

const numbered = (kind: string, resource: string, table: string, name: string) =>
  named(kind, resource, {
    id: sql`x.id`,
    name: sql.ref(`x.${name}`),
    from: sql`${sql.table(table)} x where x.id = ${number}`,
  });

const published = (kind: string, resource: string, table: string, name: string, id = 'id') =>
  named(kind, resource, {
    id: sql.ref(`x.${id}`),
    name: sql.ref(`x.${name}`),
    from: sql`${sql.table(table)} x where x.public_id = l.target_id`,
  });

/** A lateral select of the resource, ID and name of the record that entry `l` changed; no row if there is none. */
export const targetRecord = sql`(${sql.join(
  [
    published('user', 'users', 'users', 'username'),
    published('team', 'workspaces', 'teams', 'name'),
    published('cvm', 'cvms', 'cvms', 'name', 'vm_uuid'),
    named('app', 'apps', {
      id: sql`x.app_id`,
      name: sql`x.name`,
      from: sql`apps x where x.app_id = l.target_id`,
    }),
    numbered('teepod', 'teepods', 'teepods', 'name'),
    numbered('node', 'nodes', 'nodes', 'name'),
    numbered('kms', 'kms', 'kms', 'slug'),
    numbered('announcement', 'announcements', 'announcements', 'title'),
    numbered('ai_upstream', 'ai-upstreams', 'ai_upstreams', 'name'),
  ],
  sql` union all `,
)})`;
