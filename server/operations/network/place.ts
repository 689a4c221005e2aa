import type { JoinedCvm } from '../../db/cvms/cvmRows';
import { composeFacts, parseAppCompose } from '../../domain/apps/composeFacts';
import {
  domainsUnserved,
  portPolicy,
  publishedPorts,
  type PublishedPort,
} from '../../domain/network/endpoints';
import type { DomainPlace } from '../../domain/network/domainResponse';

/** How a CVM is reached, derived from its rows alone. */
export interface NetworkPlace {
  enabled: boolean;
  ports: PublishedPort[];
  restricts: boolean;
  /** Why no custom domain leads to it. */
  unserved: string | null;
}

export function placeOf({ cvm, app, revision, teepod }: JoinedCvm): NetworkPlace {
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

/** @param cvm_id the domain's CVM: null if it is for the whole app */
export function domainPlace(row: JoinedCvm, cvm_id: number | null): DomainPlace {
  const { unserved, ports } = placeOf(row);
  return {
    target: cvm_id === null ? row.app.app_id : (row.cvm.instance_id ?? row.app.app_id),
    base_domain: unserved === null ? row.teepod.gateway_base_domain : null,
    published: ports.flatMap(({ port, reach }) => (reach === 'public' && port !== null ? [port] : [])),
  };
}
