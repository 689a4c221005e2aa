import { readFile } from 'node:fs/promises';
import { expect, test, type Page } from './browser';
import { startDnsServer } from '../../server/testing/dnsServer';
import {
  deployApp,
  deployInBrowser,
  expectAccessible,
  expectNoSidewaysScroll,
  IMAGE,
  registerUser,
  watchConsole,
} from './support';

const COMPOSE = `services:
  web:
    image: ${IMAGE}
    command: sh -c 'mkdir -p /www; echo hello > /www/index.html; exec httpd -f -p 8080 -h /www'
    ports:
      - "80:8080"
      - "127.0.0.1:9000:9000"
`;
/** An MCP server written in shell for the test image. Its tool `remember` returns its arguments. */
const MCP_SERVER = String.raw`#!/bin/sh
size=0
key=no
usage=no
while read -r line; do
  line=$(printf %s "$line" | tr -d '\r')
  case $line in
    '') break ;;
    'GET /usage '*) usage=yes ;;
    [Cc]ontent-[Ll]ength:*) size=$(printf %s "$line" | tr -dc 0-9) ;;
    [Aa]uthorization:*' Bearer notes-key') key=yes ;;
  esac
done
body=$(head -c "$size")
id=$(printf %s "$body" | sed 's/.*"id":\([0-9]*\),"method".*/\1/')
reply() {
  printf 'HTTP/1.1 %s\r\nContent-Type: application/json\r\n' "$1"
  printf 'Content-Length: %s\r\nConnection: close\r\n\r\n%s' "$(printf %s "$2" | wc -c)" "$2"
}
result() { reply '200 OK' "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
[ $key = yes ] || { reply '401 Unauthorized' '{}'; exit; }
used='"requests":3,"refused":1,"last_used":"2026-11-28T08:00:00Z","days":[{"date":"2026-11-28","requests":3,"refused":1}],"tools":[{"name":"remember","calls":2,"failed":0,"total_ms":8}]'
[ $usage = no ] || { reply '200 OK' "{\"since\":\"2026-11-28T07:00:00Z\",\"requests_per_minute\":120,$used,\"keys\":[{\"name\":\"default\",$used},{\"name\":\"alice\",$used}]}"; exit; }
case $body in
  *'"initialize"'*) result '{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"notes","title":"Team notes","version":"1.2.0"},"instructions":"Search before you write."}' ;;
  *'"tools/list"'*) result '{"tools":[{"name":"remember","title":"Remember","description":"Stores a note.","annotations":{"destructiveHint":false},"inputSchema":{"type":"object","properties":{"count":{"type":"integer","minimum":1,"maximum":5},"urgent":{"type":"boolean"},"color":{"enum":["red","green"]},"tags":{"type":"array","items":{"type":"string"}},"place":{"type":"object"},"text":{"type":"string","description":"The note."}},"required":["text"]}},{"name":"forget","description":"Deletes a note.","inputSchema":{"type":"object","properties":{"id":{"type":"string","maxLength":20}}}}]}' ;;
  *'"resources/list"'*) result '{"resources":[{"uri":"notes://all","name":"All notes"}]}' ;;
  *'"prompts/list"'*) result '{"prompts":[{"name":"summarize","arguments":[{"name":"topic"}]}]}' ;;
  *'"name":"forget"'*) result '{"content":[{"type":"text","text":"There is no such note."}],"isError":true}' ;;
  *'"tools/call"'*) result "{\"content\":[{\"type\":\"text\",\"text\":\"Stored.\"}],\"structuredContent\":{\"stored\":$(printf %s "$body" | sed 's/.*"arguments"://; s/}}$//')}}" ;;
  *) reply '202 Accepted' '' ;;
esac
`;
/** Compose reads $$ as $. */
const inCompose = (text: string, indent: string) => text.replaceAll('$', '$$$$').replace(/^(?=.)/gm, indent);
const MCP_COMPOSE = `services:
  notes-mcp:
    image: ${IMAGE}
    ports: ["8080:8080"]
    environment: { MCP_KEYS: "", MCP_REQUESTS_PER_MINUTE: "120" }
    command:
      - sh
      - -c
      - |
        cat > /mcp.sh <<'END'
${inCompose(MCP_SERVER, '        ')}        END
        chmod +x /mcp.sh
        exec nc -ll -p 8080 -e /mcp.sh
`;
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 800 };

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

test('CVM network: reachability, endpoints, a custom domain and its DNS checks', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'network');
  const cvm = await deployInBrowser(page, slug, { name: 'network-app', compose: COMPOSE });
  const reachable = page.getByText('It should be: the CVM is running and publishes one port.');
  const simulated = page.getByText('No: containers are simulated on this host.');

  await test.step('shows reachability first', async () => {
    await page
      .getByRole('navigation', { name: /network-app/ })
      .getByRole('link', { name: 'Network' })
      .click();
    await expect(page).toHaveURL(new RegExp(`${cvm}/network$`));
    await expect(page.getByRole('heading', { name: 'Is network-app reachable?' })).toBeVisible();
    await expect(reachable.or(simulated)).toBeVisible();
    const address = /^http:\/\/[0-9a-f]{40}-80\.cvm\.localhost/;
    await expect(panel(page, 'Endpoints').getByText(address)).toHaveCount(2);
    // Without a Docker engine nothing responds, so nothing leads there.
    const isServed = await reachable.isVisible();
    await expect(panel(page, 'Endpoints').getByRole('link', { name: address })).toHaveCount(isServed ? 2 : 0);
    await expect(
      panel(page, 'Endpoints')
        .getByText(/plain HTTP/i)
        .first(),
    ).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('tests an endpoint step by step', async () => {
    if (await simulated.isVisible()) {
      await expect(page.getByRole('button', { name: 'Test now' })).toHaveCount(0);
      return;
    }
    await page.getByRole('button', { name: 'Test now' }).click();
    const steps = page.getByRole('list', { name: /^Connection steps for http/ }).getByRole('listitem');
    await expect(steps).toHaveCount(4);
    await expect(steps.first()).toContainText('DNS');
    await expect(steps.nth(1)).toContainText('connected to 127.0.0.1');
    await expect(page.getByText('Yes: this server just reached it.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('shows who can reach each port', async () => {
    const rows = panel(page, 'Ports').getByRole('row');
    await expect(rows.filter({ hasText: 'Public' }).first()).toContainText('8080');
    await expect(rows.filter({ hasText: 'Published on 127.0.0.1 in the CVM' })).toContainText('9000');
    await expect(panel(page, 'Ports').getByRole('link', { name: 'line 2' }).first()).toHaveAttribute(
      'href',
      /\/compose\?line=2$/,
    );
  });

  await test.step('offers to connect to an MCP server, though the Compose file mentions none', async () => {
    await page.getByRole('button', { name: 'Connect to an MCP server…' }).click();
    await expect(panel(page, 'MCP server').getByLabel('Port', { exact: true })).toBeFocused();
    await expect(panel(page, 'MCP server').getByLabel('Path', { exact: true })).toHaveValue('/mcp');
  });

  const domain = `shop-${Math.random().toString(36).slice(2, 8)}.example.org`;
  const record = `_dstack-app-address.${domain}`;
  const card = page.getByRole('article', { name: domain });
  let wanted = '';

  await test.step('adding a domain shows the DNS records to set', async () => {
    await page.getByRole('button', { name: 'Add domain' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a domain' });
    await dialog.getByLabel('Domain', { exact: true }).fill('https://shop.example.org/');
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await expect(
      dialog.getByText('Enter the name only, without https:// and without a path.').first(),
    ).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Domain', { exact: true }).fill(domain.toUpperCase());
    await dialog.getByLabel('CVM port').fill('80');
    await dialog.getByRole('button', { name: 'Add domain' }).click();
    await expect(dialog).toBeHidden();
    await expect(card.getByText('Waiting for DNS')).toBeVisible();
    await expect(card.getByText(record, { exact: true })).toBeVisible();
    wanted = await card
      .getByText(/^[0-9a-f]{40}:80$/)
      .first()
      .innerText();
    await expectAccessible(page);
  });

  await test.step('a wrong record is shown next to the expected one until fixed', async () => {
    test.skip(process.env.E2E_DNS_PORT === undefined, 'the server under test asks no DNS server of ours');
    const dns = await startDnsServer(Number(process.env.E2E_DNS_PORT));
    try {
      dns.txt.set(record, [[wanted.replace(':80', ':8080')]]);
      await card.getByRole('button', { name: 'Check DNS now' }).click();
      await expect(card.getByText('The record routes to port 8080 of this app, not to 80.')).toBeVisible();
      const checks = card.getByRole('list', { name: 'DNS records found' });
      await expect(checks.getByText(wanted.replace(':80', ':8080'))).toBeVisible();
      await expect(checks.getByText(wanted, { exact: true })).toBeVisible();
      await expectAccessible(page);
      dns.txt.set(record, [[wanted]]);
      await card.getByRole('button', { name: 'Check DNS now' }).click();
      await expect(card.getByText(/proves that you own the domain/).first()).toBeVisible();
      // The domain is verified but unusable here, which the same place explains.
      await expect(checks.getByText(/local teepod/)).toBeVisible();
      await expect(card.getByText('Waiting for DNS')).toBeVisible();
    } finally {
      await dns.close();
    }
  });

  await test.step('fits a phone', async () => {
    await page.setViewportSize(PHONE);
    await page.reload();
    await expect(card).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.setViewportSize(DESKTOP);
  });

  await test.step('removes the domain', async () => {
    await card.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(card).toBeHidden();
    await expect(panel(page, 'Domains').getByText(/Add a domain such as/)).toBeVisible();
  });

  // The browser logs the refused invalid domain name.
  expect(complaints.filter((text) => !text.includes('status of 422'))).toEqual([]);
});

test('CVM network: an MCP server’s tools, and how clients connect to it', async ({ page }) => {
  const complaints = watchConsole(page);
  const { slug } = await registerUser(page, 'mcp');
  const cvm = await deployApp(page, slug, { name: 'notes-app', compose: MCP_COMPOSE });
  const mcp = panel(page, 'MCP server');
  const connection = mcp.getByRole('form', { name: 'Connect to the MCP server' });
  const remember = mcp.getByRole('form', { name: 'Call remember' });

  await test.step('says that the server requires a key', async () => {
    await page.goto(`${cvm}/network`);
    await expect(connection.getByLabel('Port', { exact: true })).toHaveValue('8080');
    // The container may still be starting.
    await expect(async () => {
      await connection.getByRole('button', { name: 'Connect' }).click();
      await expect(connection.getByText('The MCP server requires a key.').first()).toBeVisible({
        timeout: 5_000,
      });
    }).toPass({ timeout: 60_000 });
    await expectAccessible(page);
  });

  await test.step('lists tools, resources and prompts', async () => {
    await connection.getByLabel(/^Key/).fill('notes-key');
    await connection.getByRole('button', { name: 'Connect' }).click();
    const server = mcp.getByRole('group', { name: 'Connected server' });
    for (const text of ['Team notes', '1.2.0', '2025-11-25', 'Search before you write.'])
      await expect(server.getByText(text, { exact: true })).toBeVisible();
    const tools = server.getByRole('region', { name: 'Tools' }).getByRole('listitem');
    await expect(tools).toHaveCount(2);
    await expect(tools.nth(0)).not.toContainText('Can delete or overwrite');
    await expect(tools.nth(1)).toContainText('Can delete or overwrite');
    await expect(server.getByRole('region', { name: 'Resources' })).toContainText('notes://all');
    await expect(server.getByRole('region', { name: 'Prompts' })).toContainText('summarize topic');
  });

  await test.step('shows the use of each key, and generates another one', async () => {
    const keys = mcp.getByRole('region', { name: 'Keys', exact: true });
    await expect(keys).toContainText('Each key can send up to 120 requests per minute.');
    const table = (name: string) => keys.getByRole('table', { name, exact: true });
    await expect(table('keys')).toContainText('alice');
    await keys.getByLabel('Details for', { exact: true }).selectOption('alice');
    await expect(table('Tools called with alice')).toContainText('remember');
    await expect(table('Requests with alice by day')).toContainText('2026-11-28');
    await keys.getByRole('button', { name: 'Add a key…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill('alice');
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    await expect(dialog.getByText('A key with this name already exists.')).toBeVisible();
    await dialog.getByLabel('Name', { exact: true }).fill('ci');
    await dialog.getByRole('button', { name: 'Generate key' }).click();
    await expect(dialog.getByLabel('Entry for MCP_KEYS', { exact: true })).toHaveText(/^ci:[A-Za-z0-9]{40}$/);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect(keys.getByRole('link', { name: 'edit the app’s secrets' })).toHaveAttribute(
      'href',
      /\/compose$/,
    );
  });

  await test.step('checks a tool’s arguments', async () => {
    await mcp.locator('summary', { hasText: 'Remember' }).click();
    await remember.getByLabel(/^count/).fill('9');
    await remember.getByLabel(/^place/).fill('{');
    await remember.getByRole('button', { name: 'Call tool' }).click();
    for (const fault of ['Enter a value.', 'Enter at most 5.', 'Enter valid JSON.'])
      await expect(remember.getByText(fault)).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('calls a tool and shows what it returns', async () => {
    await remember.getByLabel(/^text/).fill('Buy tea');
    await remember.getByLabel(/^count/).fill('3');
    await remember.getByLabel(/^urgent/).selectOption('true');
    await remember.getByLabel(/^color/).selectOption('green');
    await remember.getByLabel(/^tags/).fill('home\nshop');
    await remember.getByLabel(/^place/).fill('{"city": "Oslo"}');
    await remember.getByRole('button', { name: 'Call tool' }).click();
    const result = mcp.getByRole('group', { name: 'Result of remember' });
    await expect(result.getByLabel('Text', { exact: true })).toHaveText('Stored.');
    const structured = await result.getByLabel('Structured result', { exact: true }).innerText();
    expect(JSON.parse(structured)).toEqual({
      stored: {
        text: 'Buy tea',
        count: 3,
        urgent: true,
        color: 'green',
        tags: ['home', 'shop'],
        place: { city: 'Oslo' },
      },
    });
    await expectAccessible(page);
  });

  await test.step('asks before calling a tool that the server doesn’t declare harmless', async () => {
    const forget = mcp.getByRole('form', { name: 'Call forget' });
    const dialog = page.getByRole('alertdialog', { name: 'Call forget on notes-app?' });
    const outcome = mcp.getByRole('alert').filter({ hasText: 'forget reported an error' });
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/mcp/calls')) calls += 1;
    });
    await mcp.locator('summary', { hasText: 'forget' }).click();
    await forget.getByLabel(/^id/).fill('note-7');
    await forget.getByRole('button', { name: 'Call tool' }).click();
    await expect(
      dialog.getByText('The server doesn’t say whether this tool can delete or overwrite data.'),
    ).toBeVisible();
    await expect(dialog.getByLabel('Arguments', { exact: true })).toContainText('"id": "note-7"');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    expect(calls).toBe(0);
    await forget.getByRole('button', { name: 'Call tool' }).click();
    await dialog.getByRole('button', { name: 'Call tool' }).click();
    await expect(outcome).toContainText('There is no such note.');
    await expect(dialog).toBeHidden();
    expect(calls).toBe(1);
    await expectAccessible(page);
  });

  await test.step('gives clients this app’s address, and a placeholder for the key', async () => {
    const clients = mcp.getByRole('region', { name: 'Connect a client' });
    const address = /http:\/\/[0-9a-f]{40}-8080\.cvm\.localhost:\d+\/mcp/;
    for (const client of ['Claude Code', 'Claude Desktop', 'Cursor', 'VS Code']) {
      await clients.getByLabel('Client', { exact: true }).selectOption(client);
      await expect(clients.getByLabel(client, { exact: true })).toHaveText(address);
    }
    const href = async (name: string) =>
      (await clients.getByRole('link', { name }).getAttribute('href')) ?? '';
    const cursor = new URL(await href('Add to Cursor'));
    expect(cursor.protocol).toBe('cursor:');
    expect(atob(cursor.searchParams.get('config') ?? '')).toMatch(address);
    expect(decodeURIComponent(await href('Add to VS Code'))).toMatch(address);
    const downloading = page.waitForEvent('download');
    await clients.getByRole('button', { name: 'Download server.json' }).click();
    const file = await (await downloading).path();
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      title: 'Team notes',
      version: '1.2.0',
      remotes: [{ type: 'streamable-http', url: expect.stringMatching(address) }],
    });
  });

  await test.step('fits a phone, and stores no key', async () => {
    await page.setViewportSize(PHONE);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    expect(stored).not.toContain('notes-key');
    expect(await mcp.innerText()).not.toContain('notes-key');
  });

  // The browser logs the requests without a key, and those before the container answers.
  expect(complaints.filter((text) => !/status of (422|502)/.test(text))).toEqual([]);
});

test('the network page preview shows every state', async ({ page }) => {
  const complaints = watchConsole(page);
  await page.goto('/storybook/network');
  const stage = page.getByRole('region', { name: 'Component', exact: true });
  const states = page.getByLabel('State', { exact: true });
  await expect(stage.getByText('It should be: the CVM is running and publishes 2 ports.')).toBeVisible();
  const names = await states
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  expect(names.length).toBeGreaterThanOrEqual(14);
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size);
    for (const name of names) {
      await states.selectOption(name);
      await expect(page).toHaveURL(new RegExp(`state=${name}`));
      await expectNoSidewaysScroll(page);
    }
    for (const name of ['domains', 'unreached', 'error']) {
      await states.selectOption(name);
      await expectAccessible(page);
    }
  }
  await test.step('a viewer sees why changes are not allowed', async () => {
    await states.selectOption('domains');
    await page.getByLabel('Can change domains').uncheck();
    const add = stage.getByRole('button', { name: 'Add domain' });
    await expect(add).toHaveAttribute('aria-disabled', 'true');
    await expect(add).toHaveAccessibleDescription(/viewer/);
  });
  expect(complaints).toEqual([]);
});
