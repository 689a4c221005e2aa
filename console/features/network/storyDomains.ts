import type { Domain, DomainCheck, DomainDiagnosis, DomainList } from '../../../generated/api/types.gen';

/** Sample domains for the component preview. */

export const APP = '50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1';
export const BASE = 'gw.example.test';
export const AT = '2026-11-21T09:00:00Z';

const records = (domain: string, base = `_.${BASE}`): Domain['records'] => [
  {
    purpose: 'app',
    type: 'TXT',
    name: `_dstack-app-address.${domain}`,
    value: `${APP}:443`,
    required: true,
    note: 'Tells the gateway which app serves the domain and proves that it is yours. Use exactly one TXT record at this name, with only this value.',
  },
  {
    purpose: 'address',
    type: 'CNAME',
    name: domain,
    value: base,
    required: true,
    note: 'Routes visitors to the gateway. Turn off proxying (“DNS only”).',
  },
  {
    purpose: 'address',
    type: 'A',
    name: domain,
    value: '203.0.113.10',
    required: false,
    note: 'Use instead of the CNAME if your DNS provider doesn’t support it. Update it when the gateway moves.',
  },
  {
    purpose: 'issuer',
    type: 'CAA',
    name: domain,
    value: '0 issue "letsencrypt.org"',
    required: false,
    note: 'Only this authority may then issue certificates for the domain. Leave it out if you use another one.',
  },
];
const check = (
  change: Partial<DomainCheck> & Pick<DomainCheck, 'id' | 'state' | 'message'>,
): DomainCheck => ({
  what_to_do: null,
  wanted: [],
  found: [],
  remembered_until: null,
  ...change,
});
const right: DomainCheck[] = [
  check({
    id: 'gateway',
    state: 'passed',
    message: 'The host’s gateway routes domains to the app that their TXT record names.',
  }),
  check({
    id: 'app',
    state: 'passed',
    message: 'The record points to this app and proves that you own the domain.',
  }),
  check({ id: 'address', state: 'passed', message: 'The domain routes to the gateway.' }),
  check({ id: 'issuer', state: 'passed', message: 'There is no CAA record: any authority may issue.' }),
];
const wrong: DomainCheck[] = [
  right[0]!,
  check({
    id: 'app',
    state: 'failed',
    message: 'The record routes to port 8443 of this app, not to 443.',
    what_to_do: `Set the TXT record at _dstack-app-address.api.example.com to ${APP}:443.`,
    wanted: [`${APP}:443`],
    found: [
      {
        type: 'TXT',
        name: '_dstack-app-address.api.example.com',
        value: `${APP}:8443`,
        ttl: 3600,
        right: false,
      },
    ],
    remembered_until: '2036-11-21T10:00:00Z',
  }),
  check({
    id: 'address',
    state: 'failed',
    message:
      'The domain is behind a proxy (Cloudflare). The proxy ends TLS, so the gateway does not see the requested domain.',
    what_to_do: 'Switch the proxy off for this record (“DNS only”).',
    wanted: [`_.${BASE}`],
    found: [
      { type: 'A', name: 'api.example.com', value: '104.16.1.1', ttl: 300, right: false },
      { type: 'AAAA', name: 'api.example.com', value: '2606:4700::6810:101', ttl: 300, right: false },
    ],
  }),
  check({
    id: 'issuer',
    state: 'warning',
    message:
      'The CAA records (found at example.com, which counts for all names below) do not allow Let’s Encrypt to issue.',
    what_to_do:
      'Add a CAA record 0 issue "letsencrypt.org" at api.example.com if the app uses dstack-ingress.',
    wanted: ['0 issue "letsencrypt.org"'],
    found: [{ type: 'CAA', name: 'example.com', value: '0 issue "pki.goog"', ttl: 3600, right: false }],
  }),
];
const diagnosis = (domain: string, checks: DomainCheck[]): DomainDiagnosis => ({
  state: checks.some(({ state }) => state === 'failed') ? 'wrong' : 'right',
  proved: true,
  apex: false,
  checks,
  records: records(domain),
  at: AT,
});
export const domain = (name: string, state: Domain['state'], change: Partial<Domain> = {}): Domain => ({
  id: `dom_${name.replace(/[^a-z0-9]/g, '').slice(0, 40)}`,
  domain: name,
  domain_unicode: name,
  url: `https://${name}`,
  scope: 'app',
  vm_uuid: null,
  port: 443,
  port_published: true,
  state,
  proved_at: state === 'verified' ? AT : null,
  verified_at: state === 'verified' ? AT : null,
  broken_since: state === 'broken' ? AT : null,
  checked_at: AT,
  next_check_at: '2036-11-21T09:00:30Z',
  records: records(name),
  diagnosis: diagnosis(name, state === 'verified' ? right : wrong),
  created_at: AT,
  creator: null,
  ...change,
});
export const list = (...data: Domain[]): DomainList => ({
  data,
  limits: { app_used: data.length, app_most: 20, team_used: data.length, team_most: 100 },
});
