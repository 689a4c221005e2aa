import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import {
  identityOf,
  insertApp,
  insertCvm,
  insertHost,
  type TestApp,
  type TestHost,
} from '../../../testing/cvmFixtures';
import { startDnsServer, type TestDns } from '../../../testing/dnsServer';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';

const COMPOSE = `services:
  web:
    image: nginx
    ports: ["443:8443", "80:80", "127.0.0.1:9000:9000", "53:53/udp"]
`;

export type DeployedApp = TestApp & { cvm: CvmRow };

/** Two teams with apps behind one dstack gateway, one app on a local teepod, and simulated DNS. */
export interface NetworkWorld {
  dns: TestDns;
  server: TestServer;
  owner: TestClient;
  rival: TestClient;
  /** A dstack host with the gateway domain `gw.test`. */
  host: TestHost;
  gatewayPort: number;
  mine: DeployedApp;
  theirs: DeployedApp;
  /** The owner's app on a local teepod. */
  here: DeployedApp;
  deploy(client: TestClient, on: TestHost, name: string, compose?: string): Promise<DeployedApp>;
  /** Returns an unused domain. */
  newName(): string;
  add(client: TestClient, app: DeployedApp, body: Record<string, unknown>): ReturnType<typeof adding>;
  verify(client: TestClient, app: DeployedApp, id: string): ReturnType<typeof verifying>;
  /** Publishes the records that point the domain to the app. */
  publish(domain: string, app: TestApp, port?: number): void;
  /** Resets all rate limits, as after a minute. */
  forgetLimits(): Promise<void>;
  stop(): Promise<void>;
}

export const pathOf = (app: DeployedApp, domain_id?: string) => ({
  cvm_id: app.cvm.vm_uuid,
  ...(domain_id === undefined ? {} : { domain_id }),
});
const adding = (client: TestClient, app: DeployedApp, body: Record<string, unknown>) =>
  client.call('createCvmDomain', { path: pathOf(app), body });
const verifying = (client: TestClient, app: DeployedApp, id: string) =>
  client.call('verifyCvmDomain', { path: pathOf(app, id) });

export async function startNetworkWorld(): Promise<NetworkWorld> {
  const dns = await startDnsServer();
  // The website behind both gateways.
  const site = createServer((req, res) => res.end(`hello ${req.headers.host}`));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const gatewayPort = (site.address() as AddressInfo).port;
  const server = await startTestServer({ env: { DNS_SERVERS: dns.address } });
  const owner = await server.register();
  const rival = await server.register();
  const { db } = server.services;
  const withGateway = async (kind: 'local' | 'dstack_vmm', base: string) => {
    const host = await insertHost(db, { kind });
    await db
      .updateTable('teepods')
      .set({ gateway_base_domain: `${base}:${gatewayPort}` })
      .where('id', '=', host.teepod.id)
      .execute();
    return host;
  };
  const host = await withGateway('dstack_vmm', 'gw.test');
  const local = await withGateway('local', 'cvm.localhost');
  const deploy = async (client: TestClient, on: TestHost, name: string, compose = COMPOSE) => {
    const who = await identityOf(db, client.email ?? '');
    const app = await insertApp(db, { ...who, host: on, name, compose });
    return { ...app, cvm: await insertCvm(db, { ...app, host: on, user_id: who.user_id }) };
  };
  dns.set('_.gw.test', { type: 'A', value: '127.0.0.1' });
  let count = 0;
  return {
    dns,
    server,
    owner,
    rival,
    host,
    gatewayPort,
    mine: await deploy(owner, host, 'mine'),
    theirs: await deploy(rival, host, 'theirs'),
    here: await deploy(owner, local, 'here'),
    deploy,
    newName: () => `shop${++count}.example.org`,
    add: adding,
    verify: verifying,
    publish(domain, app, port = 443) {
      dns.set(domain, { type: 'CNAME', value: '_.gw.test' });
      dns.txt.set(`_dstack-app-address.${domain}`, [[`${app.app.app_id}:${port}`]]);
    },
    forgetLimits: async () => void (await sql`delete from rate_limits`.execute(db)),
    async stop() {
      await server.stop();
      await dns.close();
      site.close();
    },
  };
}
