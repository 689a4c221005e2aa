import { findCvm } from '../../db/cvms/cvmLookup';
import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { storedDomain, splitBase } from '../../domain/network/domains';
import { Problem } from '../../domain/core/problem';
import { verdictOf } from '../../domain/network/reachVerdict';
import type { ProbeTarget } from '../../drivers/probe';
import { loadFacts } from '../core/analyzer';
import { teamOf } from '../core/caller';
import type { Context, Handler } from '../types';
import { findCvmDomain } from './domain';
import { reachabilityOf, probeTarget, publicUrl, wrongState } from './reachability';
import { invalidField } from '../core/invalid';

const CHECK_MS = 20_000;
/** Each check holds a connection for seconds, and the remote side decides how many. */
const MAX_CONCURRENT = 16;
let running = 0;

export const checkCvmNetwork: Handler<'checkCvmNetwork'> = async ({ path, body, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await loadFacts(ctx, row.revision);
  const { url, target, port, form } = await chosen(ctx, row, path.cvm_id, body);
  if (running >= MAX_CONCURRENT)
    throw new Problem('RATE_LIMITED', {
      message: 'Too many checks in progress. Try again in 10 s.',
      retryAfter: 10,
    });
  running += 1;
  try {
    const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(CHECK_MS)]);
    const result = await ctx.probe.reach(target, signal);
    const { kind, engine } = row.teepod;
    return {
      status: 200,
      body: {
        url,
        ...verdictOf(result, { form, port, kind, status: row.cvm.status, simulated: engine === 'simulated' }),
        steps: result.steps,
        checked_at: new Date().toISOString(),
      },
    };
  } finally {
    running -= 1;
  }
};

interface Chosen {
  url: string;
  target: ProbeTarget;
  /** The CVM's port. */
  port: number;
  form: 'http' | 'tls' | 'grpc';
}

/**
 * Never a user-supplied address: only one the gateway serves, or a domain, which is tried only if it resolves to the
 * gateway.
 */
async function chosen(
  ctx: Context,
  row: JoinedCvm,
  cvm_id: string,
  {
    port,
    form = 'http',
    of = 'app',
    domain_id,
  }: { port?: number; form?: Chosen['form']; of?: 'app' | 'instance'; domain_id?: string },
): Promise<Chosen> {
  if (domain_id !== undefined) {
    const { found } = await findCvmDomain(ctx, { cvm_id, domain_id });
    const name = storedDomain(found.domain.domain);
    const { unserved } = reachabilityOf(row);
    const base = row.teepod.gateway_base_domain;
    if (unserved !== null || base === null) throw wrongState(unserved ?? "This app's host has no gateway.");
    if (name.wildcard) throw invalidField('domain_id', 'A wildcard has no address to test.');
    const only = await ctx.dns.gatewayAddresses(base, ctx.signal);
    const gateway = splitBase(base);
    return {
      url: `https://${name.domain}${gateway.port === 443 ? '' : `:${gateway.port}`}`,
      target: { host: name.domain, port: gateway.port, tls: 'tls', only, local: false },
      port: found.domain.port,
      form: 'tls',
    };
  }
  if (port === undefined) throw invalidField('port', 'Specify a port or a domain.');
  const url = publicUrl(row, { port, form, of });
  return { url, target: probeTarget(row, url, form), port, form };
}
