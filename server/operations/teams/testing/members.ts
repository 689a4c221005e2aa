import { sql } from 'kysely';
import type { TeamRole } from '../../../domain/core/caller';
import type { TestClient, TestServer } from '../../../testing/server';

export interface TestMember {
  client: TestClient;
  id: string;
  user_id: number;
  email: string;
}

/** Registers a user whose session selects no team. */
export async function registerUser(server: TestServer, email?: string): Promise<TestMember> {
  const made = await server.register(email);
  const row = await server.services.db
    .selectFrom('users')
    .select(['id', 'public_id', 'email'])
    .where('email', '=', made.email ?? '')
    .executeTakeFirstOrThrow();
  const client = server.anonymous.with({ cookie: made.cookie ?? '' });
  return { client, id: row.public_id, user_id: row.id, email: row.email };
}

/** Adds a user to a team as `role`, bypassing the usual ways to join. */
export async function addMembership(
  server: TestServer,
  slug: string,
  member: TestMember,
  role: TeamRole,
): Promise<void> {
  await sql`
    insert into memberships (team_id, user_id, role) select id, ${member.user_id}, ${role} from teams where slug = ${slug}
    on conflict (team_id, user_id) do update set role = excluded.role`.execute(server.services.db);
}

/** Registers a user and adds them to the team. */
export async function addMember(
  server: TestServer,
  slug: string,
  role: TeamRole,
  email?: string,
): Promise<TestMember> {
  const made = await registerUser(server, email);
  await addMembership(server, slug, made, role);
  return made;
}

export const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { code?: string } | null)?.code ?? ''}`.trim();

/** Error codes of the API, with their status. */
export const FORBIDDEN = '403 ERR-00-003';
export const NOT_FOUND = '404 ERR-00-004';
export const INVALID = '422 ERR-00-005';
export const RATE_LIMITED = '429 ERR-00-008';
export const CONFLICT = '409 ERR-00-015';
export const IN_USE = '409 ERR-00-021';
export const SLUG_TAKEN = '409 ERR-00-024';
export const SLUG_RESERVED = '422 ERR-00-025';
export const STEP_UP = '403 ERR-00-031';
export const UNVERIFIED = '403 ERR-00-034';
export const LINK_INVALID = '404 ERR-00-035';
export const LAST_OWNER = '409 ERR-00-038';
export const INVITED_ALREADY = '409 ERR-00-039';
export const WRONG_ACCOUNT = '403 ERR-00-040';
export const FACTOR_MISSING = '409 ERR-00-043';
export const TOKEN_LIMIT = '400 ERR-05-001';

/** Returns a team's audit entries for an action, newest first. */
export async function auditOf(server: TestServer, slug: string, action: string) {
  return server.services.db
    .selectFrom('audit_log as a')
    .innerJoin('teams as t', 't.id', 'a.team_id')
    .select(['a.action', 'a.before', 'a.after', 'a.target_id', 'a.actor_user_id'])
    .where('t.slug', '=', slug)
    .where('a.action', '=', action)
    .orderBy('a.id', 'desc')
    .execute();
}
