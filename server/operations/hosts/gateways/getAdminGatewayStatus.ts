import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { cvmsByInstance, findGateway } from '../../../db/hosts/adminGateways';
import { gatewayStatusOut, shownInstances, type GatewayFacts } from '../../../domain/hosts/gatewayResponse';
import { GatewayError } from '../../../drivers/gateway';
import { missing } from '../../core/admin/resource';
import type { Context, Handler } from '../../types';
import { gateways } from './resource';

/** Queries the gateway now, only with methods that return neither credentials nor keys. */
export const getAdminGatewayStatus: Handler<'getAdminGatewayStatus'> = async ({ path, ctx }) => {
  const row = await findGateway(ctx.db, path.id);
  if (!row) throw missing(gateways, path.id);
  const read_at = new Date().toISOString();
  const { url, sealed_credential } = row;
  if (url === null)
    return {
      status: 200,
      body: {
        state: 'no_address',
        error: null,
        domains_error: null,
        read_at,
        ...gatewayStatusOut(NOTHING, new Map()),
      },
    };
  const { facts, error, domains_error } = await ask(ctx, { id: row.id, url, sealed_credential });
  const found = await cvmsByInstance(
    ctx.db,
    shownInstances(facts).map(({ instance_id }) => instance_id),
  );
  const cvms = new Map(found.map((cvm) => [cvm.instance_id ?? '', cvm]));
  return {
    status: 200,
    body: {
      state: error === null ? 'answered' : 'unreachable',
      error,
      domains_error,
      read_at,
      ...gatewayStatusOut(facts, cvms),
    },
  };
};

const NOTHING: GatewayFacts = {
  status: null,
  meta: null,
  total_connections: null,
  statuses: new Map(),
  domains: null,
};

interface Answer {
  facts: GatewayFacts;
  /** Reason the gateway returned no status; null if it did. */
  error: string | null;
  /** Reason it listed no domains despite returning its status; older gateways don't list them. */
  domains_error: string | null;
}

async function ask(
  ctx: Context,
  row: { id: number; url: string; sealed_credential: string | null },
): Promise<Answer> {
  const failed = (error: unknown): GatewayError => {
    ctx.signal.throwIfAborted();
    if (error instanceof GatewayError) return error;
    throw error;
  };
  const how = { signal: ctx.signal };
  try {
    const driver = ctx.gateways.get(row);
    const [status, meta, connections, nodes, domains] = await Promise.all([
      driver.status(how).catch(failed),
      driver.meta(how).catch(failed),
      driver.connections(how).catch(failed),
      driver.nodeStatuses(how).catch(failed),
      driver.domains(how).catch(failed),
    ]);
    if (status instanceof GatewayError) return { facts: NOTHING, error: reason(status), domains_error: null };
    const said = <T>(reply: T | GatewayError): T | null => (reply instanceof GatewayError ? null : reply);
    return {
      facts: {
        status,
        meta: said(meta),
        total_connections: said(connections)?.total_connections ?? null,
        statuses: new Map((said(nodes)?.statuses ?? []).map((one) => [one.node_id, one.status])),
        domains: said(domains)?.domains ?? null,
      },
      error: null,
      domains_error: domains instanceof GatewayError ? reason(domains) : null,
    };
  } catch (error) {
    return { facts: NOTHING, error: reason(failed(error)), domains_error: null };
  }
}

const reason = ({ kind, message }: GatewayError): string =>
  cutWhole(kind === 'unauthorized' ? `It rejects the stored token. ${message}` : message, 2000);
