import type { CvmNetwork, CvmStatus, DomainList, NetworkCheck } from '../../../generated/api/types.gen';
import type { Problem } from '../../ui/feedback/problem';
import { APP, AT, BASE, domain, list } from './storyDomains';
import type { Tried } from './types';

/** Sample networks for the component preview and tests, one per page state. */

const ONE = '8f1d3c5b7a9e0d2c4b6a8f1e3d5c7b9a0f2e4d6c';

type Port = CvmNetwork['ports'][number];

const open = (service: string, port: number, container_port = port, base = BASE): Port => ({
  service,
  container_port,
  port,
  protocol: 'tcp',
  reach: 'public',
  line: 2,
  endpoints: (['http', 'tls', 'grpc'] as const).map((form) => {
    const suffix = { http: '', tls: 's', grpc: 'g' }[form];
    return {
      form,
      app: `https://${APP}-${port}${suffix}.${base}`,
      instance: `https://${ONE}-${port}${suffix}.${base}`,
    };
  }),
});
const shut = (port: number | null, reach: Port['reach'], protocol: Port['protocol'] = 'tcp'): Port => ({
  service: 'worker',
  container_port: port,
  port,
  protocol,
  reach,
  line: 14,
  endpoints: [],
});

const running: CvmNetwork = {
  is_online: true,
  is_public: true,
  error: null,
  internal_ip: '10.4.0.2',
  latest_handshake: '31 seconds ago',
  public_urls: [],
  gateway: {
    enabled: true,
    kind: 'dstack_vmm',
    base_domain: BASE,
    cname: `_.${BASE}`,
    forms: ['http', 'tls', 'grpc'],
    domains_unserved: null,
    policy_restricts: false,
  },
  ports: [
    open('web', 80, 8080),
    open('web', 443, 8443),
    shut(9000, 'loopback'),
    shut(53, 'udp', 'udp'),
    shut(null, 'undetermined'),
  ],
  handshake: { state: 'fresh', age_seconds: 31 },
  dns_servers: ['10.4.0.1', '1.1.1.1'],
  interfaces: [
    {
      name: 'wg0',
      addresses: ['10.4.0.2/16'],
      rx_bytes: 184_320_512,
      tx_bytes: 92_160_128,
      rx_errors: 0,
      tx_errors: 0,
    },
    {
      name: 'eth0',
      addresses: ['10.0.2.15/24', 'fe80::5054:ff:fe12:3456/64'],
      rx_bytes: 3_221_225_472,
      tx_bytes: 1_073_741_824,
      rx_errors: 3,
      tx_errors: 0,
    },
  ],
  host_ports: { supported: false, requested: [], mappings: [] },
};
const offline = (error: string): CvmNetwork => ({
  ...running,
  is_online: false,
  error,
  internal_ip: null,
  latest_handshake: null,
  handshake: { state: 'unknown', age_seconds: null },
  dns_servers: [],
  interfaces: [],
  host_ports: { supported: null, requested: [], mappings: [] },
});
const withGateway = (change: Partial<CvmNetwork['gateway']>): CvmNetwork => ({
  ...running,
  gateway: { ...running.gateway, ...change },
});

const result = (change: Partial<NetworkCheck>): NetworkCheck => ({
  url: `https://${APP}-80.${BASE}`,
  reachable: true,
  summary: 'It answers with status 200.',
  what_to_do: null,
  steps: [
    { name: 'dns', state: 'passed', ms: 12, detail: '203.0.113.10' },
    { name: 'tcp', state: 'passed', ms: 8, detail: 'connected to 203.0.113.10, port 443' },
    { name: 'tls', state: 'passed', ms: 22, detail: 'TLSv1.3, the certificate is trusted and for this name' },
    { name: 'http', state: 'passed', ms: 31, detail: 'status 200' },
  ],
  checked_at: AT,
  ...change,
});
const triedIt = (one: NetworkCheck): ReadonlyMap<string, Tried> =>
  new Map([['80 http app', { pending: false, result: one, problem: null }]]);

export interface NetworkStateOf {
  id: string;
  name: string;
  status: CvmStatus;
  host_reachable: boolean;
  network: CvmNetwork | undefined;
  problem: Problem | null;
  domains: DomainList | undefined;
  tried: ReadonlyMap<string, Tried>;
}
const state = (id: string, name: string, change: Partial<NetworkStateOf> = {}): NetworkStateOf => ({
  id,
  name,
  status: 'running',
  host_reachable: true,
  network: running,
  problem: null,
  domains: list(),
  tried: new Map(),
  ...change,
});
const local: CvmNetwork = {
  ...withGateway({
    kind: 'local',
    base_domain: 'cvm.localhost:41000',
    cname: null,
    forms: ['http'],
    domains_unserved:
      'The local teepod’s gateway serves its own names on this machine only and doesn’t support custom domains.',
  }),
  ports: [
    {
      ...open('web', 80, 8080),
      endpoints: [
        {
          form: 'http',
          app: `http://${APP}-80.cvm.localhost:41000`,
          instance: `http://${ONE}-80.cvm.localhost:41000`,
        },
      ],
    },
  ],
  handshake: { state: 'unused', age_seconds: null },
};

export const networkStates: readonly NetworkStateOf[] = [
  state('running', 'Running, not tested'),
  state('reached', 'Running, just reached', { tried: triedIt(result({})) }),
  state('unreached', 'Running, unreachable', {
    tried: triedIt(
      result({
        reachable: false,
        summary: 'The connection was closed without a response.',
        what_to_do: 'A container in the CVM must listen on port 80 on 0.0.0.0, not only on 127.0.0.1.',
        steps: [
          ...result({}).steps.slice(0, 3),
          { name: 'http', state: 'failed', ms: 5, detail: 'The connection was closed without a response.' },
        ],
      }),
    ),
  }),
  state('domains', 'Domains: verified, waiting, broken', {
    domains: list(
      domain('app.example.com', 'verified'),
      domain('api.example.com', 'pending', { port_published: false }),
      domain('xn--bcher-kva.example', 'broken', { domain_unicode: 'bücher.example' }),
    ),
  }),
  state('stopped', 'Stopped', {
    status: 'stopped',
    network: offline('The CVM is stopped.'),
    domains: list(domain('app.example.com', 'verified')),
  }),
  state('booting', 'Booting, no instance ID yet', {
    status: 'starting',
    network: {
      ...offline('The guest isn’t responding: the CVM is starting.'),
      ports: [
        {
          ...open('web', 80, 8080),
          endpoints: open('web', 80).endpoints.map((one) => ({ ...one, instance: null })),
        },
      ],
    },
  }),
  state('host', 'Host not responding', {
    host_reachable: false,
    network: offline('TEE host tdx-1 isn’t responding.'),
  }),
  state('stale', 'Tunnel lost', {
    network: {
      ...running,
      handshake: { state: 'stale', age_seconds: 5400 },
      latest_handshake: '1 hour, 30 minutes ago',
    },
  }),
  state('none', 'No port published', { network: { ...running, ports: [] } }),
  state('inside', 'No reachable port', {
    network: { ...running, ports: [shut(9000, 'loopback'), shut(53, 'udp', 'udp')] },
  }),
  state('off', 'Gateway off', {
    network: {
      ...withGateway({
        enabled: false,
        forms: [],
        cname: null,
        domains_unserved: 'The gateway is off for this app, so no domain reaches it.',
      }),
      ports: [shut(80, 'gateway_off')],
    },
  }),
  state('local', 'Local teepod', { network: local }),
  state('mapped', 'Port policy, host ports', {
    network: {
      ...withGateway({ policy_restricts: true }),
      ports: [open('web', 80), shut(8080, 'restricted')],
      host_ports: {
        supported: true,
        requested: [{ protocol: 'tcp', host_port: 18_080, vm_port: 80 }],
        mappings: [{ protocol: 'tcp', host_address: '0.0.0.0', host_port: 18_080, vm_port: 80 }],
      },
    },
  }),
  state('long', 'Long names, many ports', {
    network: {
      ...withGateway({ base_domain: `${'a-long-label.'.repeat(12)}example.test` }),
      ports: [80, 3000, 8080].map((port) =>
        open(
          'a-service-with-a-very-long-name-'.repeat(3),
          port,
          port,
          `${'a-long-label.'.repeat(12)}example.test`,
        ),
      ),
    },
    domains: list(domain(`${'long-label.'.repeat(18)}example.com`, 'verified')),
  }),
  state('loading', 'Loading', { network: undefined, domains: undefined }),
  state('error', 'Load error', {
    network: undefined,
    domains: undefined,
    problem: {
      title: 'Couldn’t load the network',
      message: 'Internal server error.',
      code: 'ERR-00-009',
      request_id: 'req_0000000000000000',
    },
  }),
];
