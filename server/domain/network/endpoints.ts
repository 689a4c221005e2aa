import type { PublishedEntry } from '../apps/composeFacts';
import { splitBase } from './domains';

/** How a CVM's ports are reached from outside: by its host gateway's naming rule. */

/**
 * `http`: the gateway terminates TLS; `tls`: it passes the connection through; `grpc`: it terminates TLS and
 * speaks HTTP/2.
 */
export type EndpointForm = 'http' | 'tls' | 'grpc';

export interface PortEndpoints {
  form: EndpointForm;
  /** Any running instance of the app. */
  app: string;
  /** This instance only; null before its first boot, when it has no ID. */
  instance: string | null;
}

type PortReach =
  /** Reached through the gateway. */
  | 'public'
  /** Published, but the app has no gateway. */
  | 'gateway_off'
  /** Published on the CVM's own loopback address. */
  | 'loopback'
  /** Gateways route TCP only. */
  | 'udp'
  /** No fixed port: Docker picks one at each start, or a variable determines it. */
  | 'undetermined'
  /** The app's port policy closes it. */
  | 'restricted';

export interface PublishedPort extends Omit<PublishedEntry, 'loopback'> {
  reach: PortReach;
  endpoints: PortEndpoints[];
}

export interface GatewayOf {
  kind: 'local' | 'dstack_vmm';
  gateway_base_domain: string | null;
}

export interface EndpointIds {
  app_id: string;
  instance_id: string | null;
}

/** Forms the host's gateway serves. The local one speaks plain HTTP and terminates no TLS. */
export const formsOf = ({ kind }: Pick<GatewayOf, 'kind'>): readonly EndpointForm[] =>
  kind === 'local' ? ['http'] : ['http', 'tls', 'grpc'];

const SUFFIX: Record<EndpointForm, string> = { http: '', tls: 's', grpc: 'g' };

/** `https://<app or instance id>-<port>[s|g].<base domain>`. */
export function endpointsOf(port: number, ids: EndpointIds, gateway: GatewayOf): PortEndpoints[] {
  const { gateway_base_domain: base, kind } = gateway;
  if (base === null) return [];
  const scheme = kind === 'local' ? 'http' : 'https';
  return formsOf(gateway).map((form) => {
    const at = (id: string) => `${scheme}://${id}-${port}${SUFFIX[form]}.${base}`;
    return { form, app: at(ids.app_id), instance: ids.instance_id === null ? null : at(ids.instance_id) };
  });
}

/** Why the gateway routes no custom domains; null when it does. */
export function domainsUnserved(
  { kind, gateway_base_domain }: GatewayOf,
  gateway_enabled: boolean,
): string | null {
  if (!gateway_enabled) return 'The gateway is off for this app, so no domain reaches it.';
  if (kind === 'local')
    return "The local teepod's gateway serves its own names on this machine only, not custom domains.";
  return gateway_base_domain === null ? "This app's host has no gateway." : null;
}

export interface PortPolicy {
  /** Only the listed ports are reachable. */
  restrict: boolean;
  ports: readonly number[];
}

/** `port_policy` of app-compose.json (dstack 0.6); without one every port of the CVM is reachable. */
export function portPolicy(app_compose: Readonly<Record<string, unknown>>): PortPolicy {
  const policy = app_compose['port_policy'];
  if (typeof policy !== 'object' || policy === null) return { restrict: false, ports: [] };
  const { restrict_mode, ports } = policy as { restrict_mode?: unknown; ports?: unknown };
  const listed = Array.isArray(ports) ? ports : [];
  return {
    restrict: restrict_mode === true,
    ports: listed.flatMap((one: unknown) => {
      const port = typeof one === 'object' && one !== null ? (one as { port?: unknown }).port : one;
      return typeof port === 'number' && Number.isInteger(port) ? [port] : [];
    }),
  };
}

/** Returns the ports that a revision's compose file publishes, with their URLs. */
export function publishedPorts(
  entries: readonly PublishedEntry[],
  ids: EndpointIds,
  gateway: GatewayOf & { enabled: boolean; policy: PortPolicy },
): PublishedPort[] {
  return entries.map(({ loopback, ...port }) => {
    const reach: PortReach =
      port.port === null
        ? 'undetermined'
        : loopback
          ? 'loopback'
          : port.protocol === 'udp'
            ? 'udp'
            : !gateway.enabled || gateway.gateway_base_domain === null
              ? 'gateway_off'
              : gateway.policy.restrict && !gateway.policy.ports.includes(port.port)
                ? 'restricted'
                : 'public';
    return {
      ...port,
      reach,
      endpoints: reach === 'public' && port.port !== null ? endpointsOf(port.port, ids, gateway) : [],
    };
  });
}

/** The URL of a custom domain, with the port where the gateway doesn't listen on 443. */
export function domainUrl(domain: string, gateway_base_domain: string | null): string {
  const port = gateway_base_domain === null ? 443 : splitBase(gateway_base_domain).port;
  return `https://${domain}${port === 443 ? '' : `:${port}`}`;
}
