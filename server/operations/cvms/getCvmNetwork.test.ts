import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CvmNetwork } from '../../../generated/api/types.gen';
import { at, startHostedTeam, type HostedTeam } from '../../testing/hostedTeam';

let team: HostedTeam;

beforeAll(async () => void (team = await startHostedTeam('network')));
afterAll(() => team.close());

const counters = { rx_bytes: 1, tx_bytes: 1, rx_errors: 0, tx_errors: 0 };
const address = (text: string) => ({ address: text, prefix: 24 });

/** The guest's network answer and its presentation. */
async function shown(interfaces: { name: string; addresses: string[] }[], wg_info = ''): Promise<CvmNetwork> {
  const { cvm } = await team.running();
  team.fake.on('/guest/NetworkInfo', (_request, response) =>
    response.end(
      JSON.stringify({
        dns_servers: [],
        gateways: [],
        interfaces: interfaces.map(({ name, addresses }) => ({
          name,
          addresses: addresses.map(address),
          ...counters,
        })),
        wg_info,
      }),
    ),
  );
  const { status, body } = await team.member.call('getCvmNetwork', { path: at(cvm) });
  team.fake.on('/guest/NetworkInfo', () => 'pass');
  expect(status).toBe(200);
  return body as CvmNetwork;
}

it('lists IPv4 addresses first, then those reachable beyond the link', async () => {
  const { interfaces, internal_ip } = await shown([
    { name: 'lo', addresses: ['::1', '127.0.0.1'] },
    { name: 'eth0', addresses: ['fe80::1', '2001:db8::1', '10.0.2.15'] },
  ]);
  expect(interfaces.map(({ addresses }) => addresses)).toEqual([
    ['127.0.0.1/24', '::1/24'],
    ['10.0.2.15/24', '2001:db8::1/24', 'fe80::1/24'],
  ]);
  expect(internal_ip).toBe('10.0.2.15');
});

it('prefers the tunnel address, and omits it if wg fails', async () => {
  const { internal_ip, handshake } = await shown(
    [
      { name: 'eth0', addresses: ['10.0.2.15'] },
      { name: 'dstack-wg0', addresses: ['fe80::2', '10.8.0.7'] },
    ],
    'Running ["wg"] failed: No such file or directory (os error 2) at guest_api_service.rs:204',
  );
  expect(internal_ip).toBe('10.8.0.7');
  expect(handshake).toEqual({ state: 'unknown', age_seconds: null });
});
