import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { composeFacts, parseAppCompose } from '../../domain/apps/composeFacts';
import {
  domainsUnserved,
  type EndpointForm,
  portPolicy,
  publishedPorts,
  type PublishedPort,
} from '../../domain/network/endpoints';
import { Problem } from '../../domain/core/problem';
import type { DomainPlace } from '../../domain/network/domainResponse';
import type { ProbeTarget } from '../../drivers/probe';
import { invalidField } from '../core/invalid';

/** A CVM's reachability, derived only from its rows. */
export interface Reachability {
  enabled: boolean;
  ports: PublishedPort[];
  restricts: boolean;
  /** Reason custom domains don't work for it. */
  unserved: string | null;
}

export function reachabilityOf({ cvm, app, revision, teepod }: JoinedCvm): Reachability {
  const { gateway_enabled: enabled, published } = composeFacts(revision);
  const policy = portPolicy(parseAppCompose(revision.app_compose) as unknown as Record<string, unknown>);
  const { kind, gateway_base_domain } = teepod;
  return {
    enabled,
    ports: publishedPorts(
      published,
      { app_id: app.app_id, instance_id: cvm.instance_id },
      { kind, gateway_base_domain, enabled, policy },
    ),
    restricts: policy.restrict,
    unserved: domainsUnserved({ kind, gateway_base_domain }, enabled),
  };
}

/**
 * Returns the URL of a port that the Compose file publishes and the gateway serves.
 * @throws WRONG_STATE, VALIDATION_FAILED if there is none
 */
export function publicUrl(
  row: JoinedCvm,
  { port, form, of }: { port: number; form: EndpointForm; of: 'app' | 'instance' },
): string {
  const { ports, enabled } = reachabilityOf(row);
  if (!enabled || row.teepod.gateway_base_domain === null)
    throw wrongState('The app has no gateway, so none of its ports can be reached from outside.');
  const published = ports.find((one) => one.port === port && one.reach === 'public');
  if (!published)
    throw invalidField(
      'port',
      `The Compose file doesn't publish port ${port} where the gateway can reach it.`,
    );
  const endpoint = published.endpoints.find((one) => one.form === form);
  if (!endpoint) throw invalidField('form', "This host's gateway doesn't support this form of address.");
  const url = of === 'instance' ? endpoint.instance : endpoint.app;
  if (url === null) throw wrongState('This CVM gets its own address when it first boots.');
  return url;
}

/**
 * Returns a port's URL at the CVM itself, for programs that keep conversations in memory: the gateway routes an
 * app's URL to any instance, but only one knows the conversation.
 * @throws WRONG_STATE, VALIDATION_FAILED if there is none
 */
export const ownUrl = (row: JoinedCvm, port: number): string =>
  publicUrl(row, { port, form: 'http', of: row.cvm.instance_id === null ? 'app' : 'instance' });

/**
 * Returns the address this server connects to for a public URL. Names below .localhost are this machine (RFC 6761
 * §6.3), whether or not they resolve.
 */
export function connectTo(
  { teepod }: Pick<JoinedCvm, 'teepod'>,
  url: string,
): { url: string; host?: string } {
  const { hostname, host, port, pathname } = new URL(url);
  if (teepod.kind !== 'local' || !hostname.endsWith('.localhost')) return { url };
  return { url: `http://127.0.0.1:${port || 80}${pathname}`, host };
}

/** Returns how a public URL is tested. */
export function probeTarget(
  { teepod }: Pick<JoinedCvm, 'teepod'>,
  url: string,
  form: EndpointForm,
): ProbeTarget {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname,
    port: Number(port || (protocol === 'http:' ? 80 : 443)),
    tls: protocol === 'http:' ? 'none' : form === 'grpc' ? 'h2' : 'tls',
    only: null,
    local: teepod.kind === 'local' && hostname.endsWith('.localhost'),
  };
}

export const wrongState = (message: string) => new Problem('WRONG_STATE', { message });

/** @param cvm_id the domain's CVM: null if it is for the whole app */
export function domainPlace(row: JoinedCvm, cvm_id: number | null): DomainPlace {
  const { unserved, ports } = reachabilityOf(row);
  return {
    target: cvm_id === null ? row.app.app_id : (row.cvm.instance_id ?? row.app.app_id),
    base_domain: unserved === null ? row.teepod.gateway_base_domain : null,
    published: ports.flatMap(({ port, reach }) => (reach === 'public' && port !== null ? [port] : [])),
  };
}
