import type { JoinedCvm } from '../../db/cvmRows';
import { composeFacts, parseAppCompose } from '../../domain/composeFacts';
import { domainsUnserved, portPolicy, publishedPorts, type PublishedPort } from '../../domain/endpoints';
import type { DomainPlace } from '../../domain/wire/domain';

/** How a CVM is reached, from its rows alone. */
export interface NetworkPlace {
  enabled: boolean;
  ports: PublishedPort[];
  restricts: boolean;
  /** Why no domain of one's own leads to it. */
  unserved: string | null;
}

export function placeOf({ cvm, app, revision, teepod }: JoinedCvm): NetworkPlace {
  const { gateway_enabled: enabled } = composeFacts(revision);
  const policy = portPolicy(parseAppCompose(revision.app_compose) as unknown as Record<string, unknown>);
  const { kind, gateway_base_domain } = teepod;
  return {
    enabled,
    ports: publishedPorts(
      revision,
      { app_id: app.app_id, instance_id: cvm.instance_id },
      { kind, gateway_base_domain, enabled, policy },
    ),
    restricts: policy.restrict,
    unserved: domainsUnserved({ kind, gateway_base_domain }, enabled),
  };
}

/** @param cvm_id of the domain: null when it is the whole app's */
export function domainPlace(row: JoinedCvm, cvm_id: number | null): DomainPlace {
  const { unserved, ports } = placeOf(row);
  return {
    target: cvm_id === null ? row.app.app_id : (row.cvm.instance_id ?? row.app.app_id),
    base_domain: unserved === null ? row.teepod.gateway_base_domain : null,
    published: ports.flatMap(({ port, reach }) => (reach === 'public' && port !== null ? [port] : [])),
  };
}
