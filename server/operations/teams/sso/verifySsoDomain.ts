import type { SsoConnectionRow } from '../../../db/teams/ssoConnectionsTable';
import { findConnection, lockConnection, lockDomain, markVerified } from '../../../db/teams/sso';
import { Problem } from '../../../domain/core/problem';
import { txtName, txtValue } from '../../../domain/teams/sso';
import { DnsError } from '../../../drivers/dns';
import { teamOf } from '../../core/caller';
import { requireVerified } from '../../core/requireVerified';
import type { Context, Handler } from '../../types';
import { noConnection } from './connection';

export const verifySsoDomain: Handler<'verifySsoDomain'> = async ({ ctx }) => {
  requireVerified(ctx);
  const team = teamOf(ctx);
  const row = await findConnection(ctx.db, team.id);
  if (!row) throw noConnection();
  const name = txtName(row.domain);
  const wanted = txtValue(row.domain_challenge);
  const { found, problem } = await look(ctx, name, wanted);
  const proved = problem === null;
  if (proved && (row.domain_verified_at === null || row.domain_missing_since !== null))
    await verify(ctx, row);
  return {
    status: 200,
    body: {
      verified: proved || (row.domain_verified_at !== null && row.suspended_at === null),
      name,
      wanted,
      found,
      problem,
    },
  };
};

async function look(ctx: Context, name: string, wanted: string) {
  try {
    const found = (await ctx.dns.resolveTxt(name)).slice(0, 50).map((text) => text.slice(0, 1000));
    if (found.some((text) => text.trim() === wanted)) return { found, problem: null };
    return {
      found,
      problem:
        found.length === 0
          ? `There is no TXT record at ${name} yet. DNS changes can take minutes, sometimes hours.`
          : 'None of the TXT records at this name has the expected value.',
    };
  } catch (error) {
    if (!(error instanceof DnsError)) throw error;
    return { found: [], problem: `${error.message} Try again in a moment.` };
  }
}

async function verify(ctx: Context, seen: SsoConnectionRow): Promise<void> {
  await ctx.write(async ({ trx, audit }) => {
    await lockDomain(trx, seen.domain);
    const row = await lockConnection(trx, seen.team_id);
    if (row?.domain_challenge !== seen.domain_challenge)
      throw new Problem('CONFLICT', { message: 'The connection was changed in the meantime. Reload.' });
    if (!(await markVerified(trx, row.id)))
      throw new Problem('CONFLICT', {
        message: `Another team has verified ${row.domain}. A domain belongs to one team; that team has to remove its single sign-on first.`,
      });
    await audit({
      action: 'sso.verify_domain',
      target_kind: 'sso_connection',
      target_id: row.public_id,
      team_id: row.team_id,
      after: { domain: row.domain, issuer: row.issuer },
    });
  });
}
