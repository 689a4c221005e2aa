import type { Domain, DomainDiagnosis } from '../../../generated/api/types.gen';
import type { StoredDiagnosis } from './domainState';
import { storedDomain, unicodeDomain, wantedRecords } from './domains';
import { domainUrl } from './endpoints';
import { iso, userRef, type UserFields } from '../core/references';

export interface DomainFields {
  domain: {
    public_id: string;
    domain: string;
    cvm_id: number | null;
    port: number;
    state: Domain['state'];
    proved_at: Date | null;
    verified_at: Date | null;
    broken_since: Date | null;
    checked_at: Date | null;
    next_check_at: Date;
    diagnosis: StoredDiagnosis | null;
    created_at: Date;
  };
  vm_uuid: string | null;
  creator: UserFields | null;
}

/** The CVM whose page shows the domain. */
export interface DomainPlace {
  /** ID the TXT record must contain. */
  target: string;
  /** Null if no gateway routes domains to it. */
  base_domain: string | null;
  published: readonly number[];
}

export function domainOut({ domain, vm_uuid, creator }: DomainFields, place: DomainPlace): Domain {
  const name = storedDomain(domain.domain);
  const { diagnosis } = domain;
  return {
    id: domain.public_id,
    domain: domain.domain,
    domain_unicode: unicodeDomain(domain.domain),
    url: name.wildcard ? null : domainUrl(domain.domain, place.base_domain),
    scope: domain.cvm_id === null ? 'app' : 'instance',
    vm_uuid,
    port: domain.port,
    port_published: place.published.includes(domain.port),
    state: domain.state,
    proved_at: iso(domain.proved_at),
    verified_at: iso(domain.verified_at),
    broken_since: iso(domain.broken_since),
    checked_at: iso(domain.checked_at),
    next_check_at: domain.next_check_at.toISOString(),
    // The diagnosis knows the gateway's addresses. Until there is one, the records omit them.
    records:
      diagnosis?.records ??
      wantedRecords({
        name,
        port: domain.port,
        target: place.target,
        base_domain: place.base_domain,
        gateway_addresses: [],
        apex: false,
      }),
    diagnosis,
    created_at: domain.created_at.toISOString(),
    creator: userRef(creator),
  };
}

/** Returns a diagnosis within the limits of the API schema. */
export function diagnosisOut(diagnosis: StoredDiagnosis): DomainDiagnosis {
  return { ...diagnosis, records: diagnosis.records.slice(0, 50) };
}
