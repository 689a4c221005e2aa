import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_CHECKS } from '../../../../console/lib/attestation/checks';
import { DEFAULT_SITE } from '../../../../console/lib/public/siteContent';
import { renderPage } from '../../../../console/public/render';
import { startTestServer, type TestServer } from '../../../testing/server';
import { loaderOf } from './loaders';

/** Contents of individual pages on a new server. */

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
});
afterAll(() => server?.stop());

async function htmlOf(address: string): Promise<string> {
  const { pathname, searchParams } = new URL(address, 'http://localhost');
  const load = loaderOf(pathname, 'eliza', DEFAULT_SITE);
  if (!load) return expect.fail(`${pathname} is not a public page`);
  const page = await load(server.services, (name) => searchParams.get(name), '192.0.2.1');
  return renderPage({
    page,
    path: pathname,
    public_url: 'http://localhost',
    signed_in: false,
    can_register: true,
    agent_framework: 'eliza',
    security_contact: null,
    hosts: { has_hardware: true, is_open: true },
    has_mail: true,
    site: DEFAULT_SITE,
  }).body;
}
const wordsOf = async (address: string) =>
  (await htmlOf(address)).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('template lists', () => {
  it('show the price including each one’s disk, its size and its license', async () => {
    const words = await wordsOf('/templates');
    expect(words).toContain('From $0.058/h · 1 vCPU, 2 GB · PostgreSQL');
    // Qdrant needs 40 GB, and the size has 20.
    expect(words).toContain('From $0.06/h · 1 vCPU, 2 GB · Apache-2.0');
    expect(await wordsOf('/features/mcp-hosting')).toContain('1 vCPU, 2 GB · TEE host · Apache-2.0');
  });

  it('say so if no size is large enough', async () => {
    const types = server.services.db.updateTable('instance_types');
    await types.set({ state: 'retired' }).execute();
    const words = await wordsOf('/templates');
    await types.set({ state: 'active' }).execute();
    expect(words).toContain('No size is large enough right now · PostgreSQL');
    expect(words).not.toContain('$');
  });
});

it('the calculator names unusable numbers and the cost of more disk', async () => {
  const words = await wordsOf('/about/pricing?count=-5&hours=100&disk=50');
  expect(words).toContain('Whole numbers from 1 to 100 . Calculated with 1 .');
  expect(words).not.toContain('from 1 to 730');
  expect(words).toContain('30 GB more for $0.003/h');
  expect(words).toContain('A CVM is one confidential VM');
});

describe('a use case', () => {
  it('states what it does, what is proved and what is not', async () => {
    const words = await wordsOf('/cases/oracle');
    for (const part of [
      'The problem',
      'Use it',
      'What a visitor can verify',
      'What this doesn’t prove',
      'Deploy it',
    ])
      expect(words).toContain(part);
    expect(words).toContain('alone is “Unknown”');
  });

  it('requires a TEE host only if its program uses the guest agent', async () => {
    expect(await wordsOf('/cases/oracle')).toContain('Needs a TEE host');
    const words = await wordsOf('/cases/private-api-keys');
    expect(words).not.toContain('Needs a TEE host');
    expect(words).toContain('Needs API_KEY, CLIENT_TOKEN');
  });
});

it('the home page’s report is labeled as an example and uses the wording of real checks', async () => {
  const words = await wordsOf('/');
  expect(words).toContain('price-oracle Example');
  expect(words).toMatch(new RegExp(`Part of an example report. A real one lists ${USUAL_CHECKS} checks`));
  expect(words).toContain('Compose file matches the measured hash');
});

it('prices come with other billed and unbilled items', async () => {
  const words = await wordsOf('/about/pricing');
  expect(words).toContain('What else is billed');
  expect(words).toContain('$0.0001/h per GB');
  expect(words).toContain('What is not billed');
});

it('the empty explorer explains what published apps show and where to start', async () => {
  const html = await htmlOf('/explorer');
  expect(html).toContain('No apps published yet');
  expect(html).toContain('Each earlier version with its date and changes');
  const main = html.slice(html.indexOf('<main'), html.indexOf('</main'));
  for (const href of ['/about', '/explorer/verify', '/launch']) expect(main).toContain(`href="${href}"`);
  expect(await wordsOf('/explorer?q=nothing')).toContain(
    'No published app matches. Search covers names and app IDs only. Show all',
  );
});
