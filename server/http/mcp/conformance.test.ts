import { afterAll, beforeAll, it } from 'vitest';
import { conformanceProxy, type ConformanceProxy } from '../../mcp/testing/conformance';
import { identityOf, insertToken } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';

let proxy: ConformanceProxy;
let server: TestServer;
beforeAll(async () => {
  proxy = await conformanceProxy();
  server = await startTestServer({ env: { PUBLIC_URL: proxy.origin } });
});
afterAll(async () => {
  await server?.stop();
  proxy.close();
});

it('passes the MCP conformance suite, except scenarios that need its example tools', async () => {
  const { db } = server.services;
  const member = await server.register();
  const token = await insertToken(db, await identityOf(db, member.email!));
  await proxy.expectConformance(new URL('/mcp', server.address), token);
});
