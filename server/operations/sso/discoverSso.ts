import { findUsableByDomain } from '../../db/sso';
import { emailDomain } from '../../domain/sso';
import type { Handler } from '../types';

/** By the domain alone: whether the address has an account is nobody's business here. */
export const discoverSso: Handler<'discoverSso'> = async ({ body, ctx }) => {
  const domain = emailDomain(body.email);
  const found = domain === null ? undefined : await findUsableByDomain(ctx.db, domain);
  return {
    status: 200,
    body: { connection: found ? { id: found.public_id, team_name: found.team_name } : null },
  };
};
