import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, type Page } from '../browser';
import { signInAs } from '../staff';
import { expectAccessible, watchConsole } from '../support';
import { addOwnHost, deployOn, readCvm } from './ownHost';

const TOKEN = 'gateway-admin-token';
const HOUR = 3600;
const main = (page: Page) => page.getByRole('main');
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Serves a gateway's admin API reads like its own node. Replies by method; methods without a reply are unknown. */
async function startGateway(replies: () => Record<string, object>): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://gateway');
    const method = pathname.replace('/prpc/', '');
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return void response.writeHead(401).end();
    const reply = replies()[method];
    if (reply) return void response.end(JSON.stringify(reply));
    response.writeHead(400).end(JSON.stringify({ error: `Service not found: ${method}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const domain = (name: string, cert: object | null) => ({
  config: { domain: name, port: 443, node: null, priority: 0 },
  cert_status: cert,
});

test('an administrator adds a gateway and sees its status', async ({ page }) => {
  const complaints = watchConsole(page);
  await signInAs(page, 'admin');
  const host = await addOwnHost(page);
  const name = `routed-${host.name}`;
  const cvm = await deployOn(page, host, name);
  const { instance_id } = await readCvm(page, host.team, cvm);
  const instance = { app_id: 'ab'.repeat(20), ip: '10.0.0.2', base_domain: 'x', num_connections: 3 };
  const cert = { has_cert: true, issued_by: 1, issued_at: inSeconds(-HOUR), loaded_in_memory: true };
  let replies: Record<string, object> = {
    Status: {
      id: 1,
      url: 'https://gw1.example.test',
      uuid: '00',
      num_connections: 12,
      hosts: [
        { ...instance, instance_id, latest_handshake: inSeconds(-HOUR) },
        { ...instance, instance_id: 'cd'.repeat(20), latest_handshake: 0, num_connections: 0 },
      ],
      nodes: [{ id: 1, url: 'https://gw1.example.test', last_seen: inSeconds(-5) }],
    },
    GetMeta: { registered: 2, online: 1 },
    GetGlobalConnections: { total_connections: 31, node_connections: { '1': 12, '2': 19 } },
    GetNodeStatuses: { statuses: [{ node_id: 1, status: 'up' }] },
    ListZtDomains: {
      domains: [
        domain('good.example.test', { ...cert, not_after: inSeconds(60 * 24 * HOUR) }),
        domain('soon.example.test', { ...cert, not_after: inSeconds(3 * 24 * HOUR) }),
        domain('old.example.test', { ...cert, not_after: inSeconds(-HOUR) }),
        domain('none.example.test', null),
      ],
    },
  };
  const gateway = await startGateway(() => replies);
  const base = `${host.name}.example.test`;

  await test.step('without an address, it says what to enter', async () => {
    await page.goto('/admin/infra/gateways/create');
    await main(page)
      .getByLabel(/^Base domain/)
      .fill(base);
    await page.getByRole('button', { name: /^Add/ }).click();
    await expect(main(page).getByRole('heading', { level: 1, name: base })).toBeVisible();
    await expect(main(page).getByText('No admin address')).toBeVisible();
    await expectAccessible(page);
  });
  const home = page.url();
  const edit = async (token: string) => {
    await page.goto(`${home}/edit`);
    await main(page)
      .getByLabel(/^Admin address/)
      .fill(gateway.url);
    await main(page)
      .getByLabel(/^Token/)
      .fill(token);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(home);
  };

  await test.step('a wrong token is reported', async () => {
    await edit('another-token');
    await expect(main(page).getByText('Gateway unreachable')).toBeVisible();
    await expect(main(page).getByText('It rejects the stored token', { exact: false })).toBeVisible();
  });

  await test.step('connections, domains, CVMs and nodes', async () => {
    await edit(TOKEN);
    const row = (of: RegExp | string) => main(page).getByRole('row', { name: of });
    await expect(main(page).getByText('31', { exact: true })).toBeVisible();
    for (const [of, state] of [
      [/good\.example\.test/, 'Valid'],
      [/soon\.example\.test/, 'Expires soon'],
      [/old\.example\.test/, 'Expired'],
      [/none\.example\.test/, 'None'],
    ] as const)
      await expect(row(of)).toContainText(state);
    // Shows only what is known: the last handshake. Whether the gateway routes is its own decision.
    await expect(row(new RegExp(name))).toContainText('1 h ago');
    await expect(row(/cdcdcd/)).toContainText('Never');
    await expect(main(page).getByText(/not whether it routes traffic there/)).toBeVisible();
    await expect(main(page).getByText('Not routed')).toHaveCount(0);
    await expect(row(/gw1\.example\.test/)).toContainText('up');
    await expectAccessible(page);
  });

  await test.step('a gateway with an older version lists no domains', async () => {
    const { ListZtDomains: _, ...older } = replies;
    replies = older;
    await main(page).getByRole('button', { name: 'Refresh' }).click();
    await expect(main(page).getByText('No domains')).toBeVisible();
    await expect(main(page).getByText(/Service not found: ListZtDomains/)).toBeVisible();
  });

  await test.step('a gateway that stops answering is unreachable', async () => {
    gateway.server.closeAllConnections();
    await new Promise((resolve) => gateway.server.close(resolve));
    await main(page).getByRole('button', { name: 'Refresh' }).click();
    await expect(main(page).getByText('Gateway unreachable')).toBeVisible();
  });

  await test.step('the link opens the CVM', async () => {
    await page.goto(`/admin/cvms/${cvm}`);
    await expect(main(page).getByText(name).first()).toBeVisible();
  });
  expect(complaints).toEqual([]);
  await host.fake.close();
});
