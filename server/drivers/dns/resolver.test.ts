import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDnsServer, type TestDns } from '../../testing/dnsServer';
import { createDnsDriver } from './resolver';

let server: TestDns;
beforeAll(async () => {
  server = await startDnsServer();
});
afterAll(() => server.close());

it('reads TXT records, each with its parts joined', async () => {
  server.txt.set('_teehouse-challenge.corp.test', [['teehouse-verification=', 'abc'], ['v=spf1 -all']]);
  const dns = createDnsDriver([server.address]);
  expect(await dns.resolveTxt('_teehouse-challenge.corp.test')).toEqual([
    'teehouse-verification=abc',
    'v=spf1 -all',
  ]);
  expect(await dns.resolveTxt('nothing-here.corp.test')).toEqual([]);
});

it('distinguishes an unresponsive server from a name without records', async () => {
  server.silent = true;
  try {
    await expect(createDnsDriver([server.address]).resolveTxt('corp.test')).rejects.toThrow(/didn't respond/);
  } finally {
    server.silent = false;
  }
});
