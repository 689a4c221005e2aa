import type { AdminGateway, AdminGatewayStatus } from '../../../generated/api/types.gen';
import type { Stored } from '../core/references';

export type AdminGatewayFields = Stored<AdminGateway, 'created_at' | 'updated_at'>;

/** Returns a gateway without its `sealed_credential`: callers see only whether there is one. */
export const adminGatewayOut = (gateway: AdminGatewayFields): AdminGateway => ({
  id: gateway.id,
  base_domain: gateway.base_domain,
  url: gateway.url,
  has_credential: gateway.has_credential,
  teepod_count: gateway.teepod_count,
  created_at: gateway.created_at.toISOString(),
  updated_at: gateway.updated_at.toISOString(),
});

/** The gateway's report; null for missing parts. Times are Unix seconds; 0 is never. */
export interface GatewayFacts {
  status: {
    id: number;
    num_connections: number;
    hosts: readonly {
      instance_id: string;
      app_id: string;
      latest_handshake: number;
      num_connections: number;
    }[];
    nodes: readonly { id: number; url: string; last_seen: number }[];
  } | null;
  meta: { registered: number; online: number } | null;
  total_connections: number | null;
  statuses: ReadonlyMap<number, string>;
  domains:
    | readonly {
        config: { domain: string; port: number };
        cert_status: {
          has_cert: boolean;
          not_after: number;
          issued_at: number;
          loaded_in_memory: boolean;
        } | null;
      }[]
    | null;
}

/** Rows shown per list. */
const MAX_ROWS = 500;
/** Latest time that an API date can represent. */
const LATEST = 253_402_300_799;

const timeOf = (seconds: number): string | null =>
  seconds === 0 ? null : new Date(Math.min(seconds, LATEST) * 1000).toISOString();

/** The instances shown: those whose handshake is oldest first. */
export const shownInstances = ({ status }: GatewayFacts) =>
  [...(status?.hosts ?? [])].sort((a, b) => a.latest_handshake - b.latest_handshake).slice(0, MAX_ROWS);

/** @param cvms by instance ID */
export function gatewayStatusOut(
  facts: GatewayFacts,
  cvms: ReadonlyMap<string, { vm_uuid: string; name: string }>,
): Pick<
  AdminGatewayStatus,
  | 'node_connections'
  | 'total_connections'
  | 'registered'
  | 'online'
  | 'nodes'
  | 'instances'
  | 'instance_count'
  | 'domains'
> {
  const { status, meta, total_connections, statuses, domains } = facts;
  return {
    node_connections: status?.num_connections ?? null,
    total_connections,
    registered: meta?.registered ?? null,
    online: meta?.online ?? null,
    nodes: (status?.nodes ?? []).slice(0, MAX_ROWS).map(({ id, url, last_seen }) => ({
      id,
      url: url.slice(0, 2000),
      last_seen_at: timeOf(last_seen),
      status: (statuses.get(id) ?? '').slice(0, 64) || null,
    })),
    instances: shownInstances(facts).map(({ instance_id, app_id, latest_handshake, num_connections }) => ({
      instance_id: instance_id.slice(0, 64),
      app_id: app_id.slice(0, 64),
      handshake_at: timeOf(latest_handshake),
      connections: num_connections,
      cvm_id: cvms.get(instance_id)?.vm_uuid ?? null,
      cvm_name: cvms.get(instance_id)?.name ?? null,
    })),
    instance_count: status?.hosts.length ?? null,
    domains: (domains ?? []).slice(0, MAX_ROWS).map(({ config, cert_status }) => ({
      domain: config.domain.slice(0, 253),
      port: Math.min(config.port, 65_535),
      has_certificate: cert_status?.has_cert ?? false,
      issued_at: timeOf(cert_status?.issued_at ?? 0),
      expires_at: timeOf(cert_status?.not_after ?? 0),
      loaded: cert_status?.loaded_in_memory ?? false,
    })),
  };
}
