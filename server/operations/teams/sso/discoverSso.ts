import { findUsableByDomain } from '../../../db/teams/sso';
import { emailDomain } from '../../../domain/teams/sso';
import type { Handler } from '../../types';

/** Decides by the domain alone: whether the address has an account isn't revealed. */
export const discoverSso: Handler<'discoverSso'> = async ({ body, ctx }) => {
  const domain = emailDomain(body.email);
  const found = domain === null ? undefined : await findUsableByDomain(ctx.db, domain);
  return {
    status: 200,
    body: { connection: found ? { id: found.public_id, team_name: found.team_name } : null },
  };
};
