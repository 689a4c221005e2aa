import { findCvm } from '../../db/cvms/cvmLookup';
import { countDomains, domainsOfCvm, insertDomain, lockTeamDomains } from '../../db/network/domains';
import { MAX_DOMAINS_PER_APP, MAX_DOMAINS_PER_TEAM } from '../../domain/network/domains';
import { Problem } from '../../domain/core/problem';
import { loadFacts } from '../core/analyzer';
import { userOf, teamOf } from '../core/caller';
import { requireVerified } from '../core/requireVerified';
import type { Handler } from '../types';
import { shown, typedDomain } from './domain';

/** DNS decides ownership: adding a domain claims nothing and doesn't keep other teams from adding it. */
export const createCvmDomain: Handler<'createCvmDomain'> = async ({ path, body, ctx }) => {
  requireVerified(ctx);
  const team_id = teamOf(ctx).id;
  const name = await typedDomain(ctx, body.domain);
  // Loaded before the transaction, because its reply needs them.
  await loadFacts(ctx, (await findCvm(ctx.db, team_id, path.cvm_id)).revision);
  return ctx.write(async ({ trx, audit }) => {
    const row = await findCvm(trx, team_id, path.cvm_id);
    await lockTeamDomains(trx, team_id);
    const counts = await countDomains(trx, team_id, row.app.id);
    if (counts.app >= MAX_DOMAINS_PER_APP || counts.team >= MAX_DOMAINS_PER_TEAM)
      throw new Problem('RESOURCE_LIMIT_EXCEEDED', {
        message:
          counts.app >= MAX_DOMAINS_PER_APP
            ? `The app has ${counts.app} domains; at most ${MAX_DOMAINS_PER_APP} are allowed.`
            : `The team has ${counts.team} domains; at most ${MAX_DOMAINS_PER_TEAM} are allowed.`,
        suggestions: ['Remove an unused domain, or use a wildcard.'],
      });
    const domain = await insertDomain(trx, {
      team_id,
      app_id: row.app.id,
      cvm_id: body.scope === 'instance' ? row.cvm.id : null,
      domain: name.domain,
      port: body.port ?? 443,
      created_by: userOf(ctx).id,
    });
    if (!domain)
      throw new Problem('CONFLICT', {
        message: `The team already has ${name.domain}.`,
        details: [{ field: 'domain', message: 'Already added', value: name.domain }],
        suggestions: ['Remove it there first to use it here.'],
      });
    await audit({
      action: 'domain.create',
      target_kind: 'domain',
      target_id: domain.public_id,
      after: {
        domain: domain.domain,
        port: domain.port,
        app_id: row.app.app_id,
        scope: body.scope ?? 'app',
      },
    });
    const [found] = await domainsOfCvm(
      trx,
      { team_id, app_id: row.app.id, cvm_id: row.cvm.id },
      domain.public_id,
    );
    if (!found) throw new Error('the domain that was just added is not there');
    return { status: 201, body: shown({ row, found }) } as const;
  });
};
