import { analyseCompose } from '../../console/lib/composeFile';
import { splitBase } from './domains';

/** How the ports of a CVM are reached from outside: by the naming rule of its host's gateway. */

/** `http`: the gateway ends TLS; `tls`: it leads the connection on as it is; `grpc`: it ends TLS and speaks HTTP/2. */
export type EndpointForm = 'http' | 'tls' | 'grpc';

export interface PortEndpoints {
  form: EndpointForm;
  /** Any running instance of the app. */
  app: string;
  /** This instance only; null before its first boot, when it has no id. */
  instance: string | null;
}

export type PortReach =
  /** Reached through the gateway. */
  | 'public'
  /** Published, but the app has no gateway. */
  | 'gateway_off'
  /** Published on the CVM's own loopback address. */
  | 'loopback'
  /** Gateways lead TCP only. */
  | 'udp'
  /** No fixed port: docker picks one at each start, or a variable decides. */
  | 'undetermined'
  /** The port policy of the app shuts it. */
  | 'restricted';

export interface PublishedPort {
  service: string;
  /** Inside the container; null when a variable decides. */
  container_port: number | null;
  /** Of the CVM; null when it is not fixed. */
  port: number | null;
  protocol: 'tcp' | 'udp';
  reach: PortReach;
  /** Where the service begins in the compose file. */
  line: number;
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

/** Forms that the host's gateway serves. The local one speaks plain HTTP and ends no TLS. */
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

/** Why the gateway leads no domains of the customers' own; null when it does. */
export function domainsUnserved(
  { kind, gateway_base_domain }: GatewayOf,
  gateway_enabled: boolean,
): string | null {
  if (!gateway_enabled) return 'The gateway is off for this app, so no domain leads to it.';
  if (kind === 'local')
    return 'The gateway of the local teepod serves its own names on this machine only, and no domains of your own.';
  return gateway_base_domain === null ? 'The host of this app has no gateway.' : null;
}

export interface PortPolicy {
  /** Only the ports listed can be reached. */
  restrict: boolean;
  ports: readonly number[];
}

/** `port_policy` of app-compose.json (dstack 0.6); without one every port of the CVM can be reached. */
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

interface ComposeReading {
  compose_hash: string;
  docker_compose_file: string;
}

const REMEMBERED = 200;
/** A page can show as many; compose files that publish more are cut. */
const MOST_PORTS = 200;

type Reading = Omit<PublishedPort, 'endpoints' | 'reach'> & { loopback: boolean };
// By hash of what was read, so never stale: the page asks every few seconds, and parsing costs milliseconds.
const remembered = new Map<string, Reading[]>();

function readPorts({ compose_hash, docker_compose_file }: ComposeReading): Reading[] {
  const known = remembered.get(compose_hash);
  if (known) return known;
  const ports = analyseCompose(docker_compose_file)
    .services.flatMap(({ name, ports: published, line }) =>
      published.map((one): Reading => ({
        service: name.slice(0, 200),
        container_port: one.target,
        port: one.published,
        protocol: one.protocol === 'udp' ? 'udp' : 'tcp',
        line,
        loopback: one.host_ip !== null && (one.host_ip.startsWith('127.') || one.host_ip === '::1'),
      })),
    )
    .slice(0, MOST_PORTS);
  if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
  remembered.set(compose_hash, ports);
  return ports;
}

/** The ports that a revision's compose file publishes, with where each is reached. */
export function publishedPorts(
  revision: ComposeReading,
  ids: EndpointIds,
  gateway: GatewayOf & { enabled: boolean; policy: PortPolicy },
): PublishedPort[] {
  return readPorts(revision).map(({ loopback, ...port }) => {
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

/** The address of a domain of one's own, with the port where the gateway does not listen on 443. */
export function domainUrl(domain: string, gateway_base_domain: string | null): string {
  const port = gateway_base_domain === null ? 443 : splitBase(gateway_base_domain).port;
  return `https://${domain}${port === 443 ? '' : `:${port}`}`;
}
