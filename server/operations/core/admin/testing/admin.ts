import { hashToken, newToken, tokenPrefix } from '../../../../domain/teams/token';
import type { Problem } from '../../../../../generated/api/types.gen';
import { startTestServer, type TestClient } from '../../../../testing/server';

export const unique = (name: string) => `${name}-${Math.random().toString(36).slice(2, 8)}`;

export const problemOf = (body: unknown) =>
  body as Problem & { detail: { message: string; details: { field: string }[] } };

/** Starts a server with a first user who is the platform administrator, and a second without a platform role. */
export async function startAdminTest(env: Record<string, string> = {}, write?: (line: string) => void) {
  const server = await startTestServer({ env, ...(write ? { write } : {}) });
  const admin = await server.register();
  const member = await server.register();
  const { db } = server.services;
  return {
    server,
    admin,
    member,
    /** Returns a client with a token of that user with these scopes. */
    async token(scopes: string[], email: string | null): Promise<TestClient> {
      const text = newToken('api');
      const user = await db
        .selectFrom('users')
        .innerJoin('memberships', 'memberships.user_id', 'users.id')
        .select(['users.id', 'memberships.team_id'])
        .where('email', '=', email ?? '')
        .executeTakeFirstOrThrow();
      await db
        .insertInto('api_tokens')
        .values({
          public_id: unique('tok'),
          team_id: user.team_id,
          user_id: user.id,
          name: 'test',
          token_hash: hashToken(text),
          token_prefix: tokenPrefix(text),
          scopes,
        })
        .execute();
      return server.anonymous.with({ 'x-api-key': text });
    },
    async node(body: Record<string, unknown> = {}): Promise<number> {
      const reply = await admin.call('createAdminNode', { body: { name: unique('node'), ...body } });
      if (reply.status !== 201) throw new Error(`a node was answered ${reply.status}`);
      return (reply.body as { id: number }).id;
    },
    audits: (target_kind: string, target_id: string | number) =>
      db
        .selectFrom('audit_log')
        .select(['action', 'before', 'after'])
        .where('target_kind', '=', target_kind)
        .where('target_id', '=', String(target_id))
        .orderBy('id')
        .execute(),
  };
}

export type AdminTest = Awaited<ReturnType<typeof startAdminTest>>;
