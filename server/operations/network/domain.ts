import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import type { Db, Tx } from '../../db/core/client';
import { domainsOfCvm, isGatewayName, type ListedDomain } from '../../db/network/domains';
import { belongsToServer, readDomain, type DomainName } from '../../domain/network/domains';
import { Problem } from '../../domain/core/problem';
import { domainOut } from '../../domain/network/domainResponse';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import type { Context } from '../types';
import { domainPlace } from './reachability';

/** Longest time a user waits for DNS. */
export const LOOK_MS = 20_000;

/** Parses user input as a domain that may point to an app. @throws VALIDATION_FAILED */
export async function typedDomain(ctx: Context, typed: string): Promise<DomainName> {
  const own = new URL(ctx.config.publicUrl).hostname.toLowerCase();
  let name = readDomain(typed, [own]);
  if (typeof name !== 'string') {
    if (!(await isGatewayName(ctx.db, name.base))) return name;
    name = belongsToServer(name.base);
  }
  throw new Problem('VALIDATION_FAILED', {
    message: `domain: ${name}`,
    details: [{ field: 'domain', message: name, value: cutWhole(typed, 255) }],
  });
}

export interface CvmDomain {
  row: JoinedCvm;
  found: ListedDomain;
}

/** Returns the domain if it belongs to this CVM of the team. */
export async function findCvmDomain(
  ctx: Context,
  path: { cvm_id: string; domain_id: string },
  db: Db | Tx = ctx.db,
): Promise<CvmDomain> {
  const row = await findCvm(db, teamOf(ctx).id, path.cvm_id);
  // Must run outside a transaction.
  if (db === ctx.db) await loadFacts(ctx, row.revision);
  const [found] = await domainsOfCvm(
    db,
    { team_id: teamOf(ctx).id, app_id: row.app.id, cvm_id: row.cvm.id },
    path.domain_id,
  );
  if (!found) throw new Problem('NOT_FOUND', { message: 'Domain not found for this CVM.' });
  return { row, found };
}

export const shown = ({ row, found }: CvmDomain) => domainOut(found, domainPlace(row, found.domain.cvm_id));
