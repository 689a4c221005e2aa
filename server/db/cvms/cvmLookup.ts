import { sql, type Kysely, type RawBuilder } from 'kysely';
import { parseCvmIdentifier, type CvmIdentifier } from '../../../console/lib/ids';
import { Problem } from '../../domain/core/problem';
import { prepared } from '../core/client';
import { joinedCvm, selectCvms, type JoinedCvm } from './cvmRows';
import type { Database } from '../core/schema';

/** Candidates listed in the error for an ambiguous identifier. */
const LISTED = 10;

/**
 * Returns the team's CVM that `identifier` names, in any form clients send, with its joins. One query, or two
 * in a transaction when `lock` is set. @throws CVM_NOT_FOUND for none (or another team's, or a deleted one),
 * AMBIGUOUS_CVM when an app ID names an app of several CVMs.
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
  const { rows } = await sql<Record<string, unknown>>`${prepared}
    ${selectCvms(
      'full',
      sql`select * from cvms where ${condition(parsed, team_id)} and team_id = ${team_id} and deleted_at is null
        order by id limit ${LISTED + 1}`,
    )}
    order by cvm.id`.execute(db);
  return only(rows.map(joinedCvm), parsed);
}

/**
 * Returns only the number; for filters, which need nothing else. Null when there is none; all matches are
 * returned.
 */
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

/** The facts callers need to continue with a CVM as its team. */
export interface FoundCvm {
  vm_uuid: string;
  team_id: number;
}

/**
 * The same for platform staff, across all teams' CVMs. A deleted one is found by identifiers that are never
 * reused: its UUID, number or hashid. @throws CVM_NOT_FOUND, AMBIGUOUS_CVM as above, naming each one's team
 */
export async function findCvmOfAnyTeam(db: Kysely<Database>, identifier: string): Promise<FoundCvm> {
  const parsed = parseCvmIdentifier(identifier);
  if (!parsed) throw notFound();
  const { rows } = await sql<FoundCvm & { name: string; team_slug: string; app_id: string }>`
    select cvms.vm_uuid, cvms.team_id, cvms.name, t.slug as team_slug, a.app_id
    from cvms join teams t on t.id = cvms.team_id join apps a on a.id = cvms.app_id
    where ${condition(parsed, null)} ${UNIQUE.has(parsed.kind) ? sql`` : sql`and cvms.deleted_at is null`}
    order by cvms.id limit ${LISTED + 1}`.execute(db);
  return onlyOne(
    rows,
    parsed,
    (row) => row.app_id,
    (row) => ({ vm_uuid: row.vm_uuid, name: `${row.name} of ${row.team_slug}` }),
  );
}

const UNIQUE: ReadonlySet<CvmIdentifier['kind']> = new Set(['uuid', 'hashid', 'numeric']);

/** Matches a row of `cvms`; `team_id` null: in any team. */
function condition(identifier: CvmIdentifier, team_id: number | null): RawBuilder<unknown> {
  const byHex = (hex: string) =>
    sql`(cvms.app_id = (select apps.id from apps where apps.app_id = ${hex} ${
      team_id === null ? sql`` : sql`and apps.team_id = ${team_id}`
    })
      or cvms.instance_id = ${hex})`;
  switch (identifier.kind) {
    case 'uuid':
      return sql`cvms.vm_uuid = ${identifier.vm_uuid}::uuid`;
    case 'hashid':
      return sql`cvms.public_id = ${identifier.hashid}`;
    case 'numeric':
      return sql`cvms.id = ${identifier.id}::bigint`;
    case 'name':
      return sql`cvms.name = ${identifier.name}`;
    case 'instance_id':
      return sql`cvms.instance_id = ${identifier.instance_id}`;
    // 40 hex digits may be either: the published SDK puts app_ before a bare instance ID too.
    case 'app_id':
      return byHex(identifier.app_id);
    case 'hex40':
      return byHex(identifier.hex);
  }
}

const only = (found: readonly JoinedCvm[], identifier: CvmIdentifier): JoinedCvm =>
  onlyOne(
    found,
    identifier,
    ({ app }) => app.app_id,
    ({ cvm }) => ({ vm_uuid: cvm.vm_uuid, name: cvm.name }),
  );

function onlyOne<Row>(
  found: readonly Row[],
  identifier: CvmIdentifier,
  appIdOf: (row: Row) => string,
  named: (row: Row) => { vm_uuid: string; name: string },
): Row {
  const hex = 'hex' in identifier ? identifier.hex : 'app_id' in identifier ? identifier.app_id : null;
  const ofApp = hex === null ? [] : found.filter((row) => appIdOf(row) === hex);
  const rows = ofApp.length > 0 ? ofApp : found;
  const [first] = rows;
  if (!first) throw notFound();
  if (rows.length === 1) return first;
  const listed = rows.slice(0, LISTED).map(named);
  throw new Problem('AMBIGUOUS_CVM', {
    message: `Several CVMs match: ${listed.map(({ name, vm_uuid }) => `${name} (${vm_uuid})`).join(', ')}${
      rows.length > LISTED ? ' and more' : ''
    }.`,
    details: listed.map(({ name, vm_uuid }) => ({ field: 'vm_uuid', value: vm_uuid, message: name })),
  });
}

function notFound(): Problem {
  // Published clients display this sentence, and some scripts compare it.
  return new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
}
