import { sql, type Kysely, type RawBuilder } from 'kysely';
import { parseCvmIdentifier, type CvmIdentifier } from '../../console/lib/ids';
import { Problem } from '../domain/problem';
import { joinedCvm, selectCvms, type JoinedCvm } from './cvmRows';
import type { Database } from './schema';

/** More candidates than these are not listed in the answer to an ambiguous identifier. */
const LISTED = 10;

/**
 * The team's CVM that `identifier` names, in any form clients send, with all it is joined to. One query, or two inside
 * a transaction when `lock` is asked for. @throws CVM_NOT_FOUND for none (or another team's, or a deleted one),
 * AMBIGUOUS_CVM when an app id names an app of several CVMs.
 */
export async function findCvm(
  db: Kysely<Database>,
  team_id: number,
  identifier: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<JoinedCvm> {
  const parsed = parseCvmIdentifier(identifier);
  if (!parsed) throw notFound();
  if (lock) {
    await sql`select id from cvms where ${condition(parsed, team_id)} and deleted_at is null and team_id = ${team_id}
      order by id for update`.execute(db);
  }
  const { rows } = await sql<Record<string, unknown>>`
    ${selectCvms('full')}
    where ${condition(parsed, team_id, 'cvm.')} and cvm.team_id = ${team_id} and cvm.deleted_at is null
    order by cvm.id limit ${LISTED + 1}`.execute(db);
  return only(rows.map(joinedCvm), parsed);
}

/** Just its number; for filters, where nothing else is needed. Null when there is none; several are all returned. */
export async function findCvmIds(
  db: Kysely<Database>,
  team_id: number,
  identifier: string,
  { deleted = false }: { deleted?: boolean } = {},
): Promise<number[]> {
  const parsed = parseCvmIdentifier(identifier);
  if (!parsed) return [];
  const { rows } = await sql<{ id: number }>`
    select id from cvms where ${condition(parsed, team_id)} and team_id = ${team_id}
      ${deleted ? sql`` : sql`and deleted_at is null`}
    order by id desc limit 1000`.execute(db);
  return rows.map((row) => row.id);
}

function condition(identifier: CvmIdentifier, team_id: number, alias: '' | 'cvm.' = ''): RawBuilder<unknown> {
  const column = (name: string) => sql.raw(`${alias}${name}`);
  const byApp = (app_id: string) =>
    sql`${column('app_id')} = (select id from apps where app_id = ${app_id} and team_id = ${team_id})`;
  switch (identifier.kind) {
    case 'uuid':
      return sql`${column('vm_uuid')} = ${identifier.vm_uuid}::uuid`;
    case 'hashid':
      return sql`${column('public_id')} = ${identifier.hashid}`;
    case 'numeric':
      return sql`${column('id')} = ${identifier.id}::bigint`;
    case 'name':
      return sql`${column('name')} = ${identifier.name}`;
    case 'instance_id':
      return sql`${column('instance_id')} = ${identifier.instance_id}`;
    // 40 hex may be either: the published SDK writes app_ before a bare instance id too.
    case 'app_id':
      return sql`(${byApp(identifier.app_id)} or ${column('instance_id')} = ${identifier.app_id})`;
    case 'hex40':
      return sql`(${byApp(identifier.hex)} or ${column('instance_id')} = ${identifier.hex})`;
  }
}

function only(found: JoinedCvm[], identifier: CvmIdentifier): JoinedCvm {
  const hex = 'hex' in identifier ? identifier.hex : 'app_id' in identifier ? identifier.app_id : null;
  const ofApp = hex === null ? [] : found.filter((row) => row.app.app_id === hex);
  const rows = ofApp.length > 0 ? ofApp : found;
  const [first] = rows;
  if (!first) throw notFound();
  if (rows.length === 1) return first;
  const listed = rows.slice(0, LISTED);
  throw new Problem('AMBIGUOUS_CVM', {
    message: `Several CVMs match: ${listed.map(({ cvm }) => `${cvm.name} (${cvm.vm_uuid})`).join(', ')}${
      rows.length > LISTED ? ' and more' : ''
    }.`,
    details: listed.map(({ cvm }) => ({ field: 'vm_uuid', value: cvm.vm_uuid, message: cvm.name })),
  });
}

function notFound(): Problem {
  // Published clients show this sentence and some scripts compare it.
  return new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
}
