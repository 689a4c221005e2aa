import { withTransaction } from '../../../db/core/client';
import { replaceScimToken } from '../../../db/teams/scimTokens';
import { identityOf } from '../../../testing/cvmFixtures';
import type { SsoTeam, SsoWorld } from '../../../operations/teams/sso/testing/world';

interface ScimReply {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export type ScimClient = (method: string, path: string, body?: unknown) => Promise<ScimReply>;

/** A team's identity provider with a new token. */
export async function scimClient(world: SsoWorld, team: SsoTeam): Promise<ScimClient> {
  const { db } = world.server.services;
  const { user_id } = await identityOf(db, team.owner.email ?? '');
  const { id } = await db
    .selectFrom('sso_connections as c')
    .innerJoin('teams as t', 't.id', 'c.team_id')
    .select('c.id')
    .where('t.slug', '=', team.slug)
    .executeTakeFirstOrThrow();
  const token = await withTransaction(db, (trx) =>
    replaceScimToken(trx, { connection_id: id, created_by: user_id }),
  );
  return scimClientWith(world, `Bearer ${token}`);
}

export const scimClientWith =
  (world: SsoWorld, authorization: string): ScimClient =>
  async (method, path, body) => {
    const reply = await fetch(`${world.server.address}/scim/v2${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/scim+json; charset=utf-8' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      headers: reply.headers,
      body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    };
  };

const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const patchOp = (...Operations: object[]) => ({ schemas: [PATCH_OP], Operations });

/** A user as Entra creates one. */
export const entraUser = (email: string, more: object = {}) => ({
  schemas: [
    'urn:ietf:params:scim:schemas:core:2.0:User',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  ],
  externalId: `ext-${email}`,
  userName: email,
  active: true,
  emails: [{ primary: true, type: 'work', value: email }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  roles: [],
  ...more,
});

/** A user as Okta creates one. */
export const oktaUser = (email: string, more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: email,
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Grace Hopper',
  locale: 'en-US',
  externalId: '00ujl29u0le5T6Aj10h7',
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
});
