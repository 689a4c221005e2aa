import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_SITE } from '../../../console/lib/public/siteContent';
import { renderPage } from '../../../console/public/render';
import type { PublicAppDetail } from '../../../generated/api/types.gen';
import { loaderOf } from '../../http/pages/public/loaders';
import { insertApp, insertCvm, insertHost, insertRevision, type TestApp } from '../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../testing/server';
import { publicChange } from './publicChange';

/** Pages showing the changes in a published app's version. */
let server: TestServer;
let app: TestApp['app'];
let cvm_id: number;

const compose = (image: string, more = '') =>
  `services:\n  web:\n    image: ${image}\n${more}    restart: always\n`;

/** Emulates an update: the published CVM runs a new version. */
async function update(number: number, file: string): Promise<void> {
  const { db } = server.services;
  const revision = await insertRevision(db, { app, number, name: 'app', compose: file });
  await db.updateTable('cvms').set({ revision_id: revision.id }).where('id', '=', cvm_id).execute();
}
const list = (listed: boolean) =>
  server.services.db.updateTable('cvms').set({ listed }).where('id', '=', cvm_id).execute();

async function open(path: string) {
  const load = loaderOf(path, 'eliza', DEFAULT_SITE);
  const page = load ? await load(server.services, () => null, '192.0.2.1') : { page: 'not_found' as const };
  const { body } = renderPage({
    page,
    path,
    public_url: server.services.config.publicUrl,
    signed_in: false,
    can_register: true,
    agent_framework: 'eliza',
    security_contact: null,
    hosts: { has_hardware: true, is_open: true },
    has_mail: true,
    site: DEFAULT_SITE,
  });
  return { page, body };
}
const version = (number: number | string) => open(`/explorer/${app.app_id}/versions/${number}`);

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  const { db } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const host = await insertHost(db, {});
  const made = await insertApp(db, { team_id: team.id, host, name: 'app', compose: compose('nginx:1') });
  app = made.app;
  cvm_id = (await insertCvm(db, { ...made, host, change: { listed: true } })).id;
  await update(2, compose('nginx:2', '    # </pre><script>alert(1)</script> \u202eabc\n'));
  // Excludes drafts and versions that ran while the app was unpublished.
  await insertRevision(db, { app, number: 3, name: 'app', compose: compose('secret-draft') });
  await list(false);
  await update(4, compose('secret-build'));
  await update(5, compose('nginx:5'));
  await list(true);
});
afterAll(() => server?.stop());

describe('the changes in a version', () => {
  it('are shown line by line, as text', async () => {
    const { page, body } = await version(2);
    expect(page).toMatchObject({ page: 'version', change: { before: { number: 1 }, after: { number: 2 } } });
    expect(body).toMatch(/<del[^>]*>- {5}image: nginx:1\n<\/del>/);
    expect(body).toMatch(/<ins[^>]*>\+ {5}image: nginx:2\n<\/ins>/);
    expect(body).not.toContain('<script>alert');
    expect(body).not.toContain('\u202e');
  });

  it('are relative to the previously published version', async () => {
    const { page, body } = await version(5);
    expect(page).toMatchObject({ page: 'version', change: { before: { number: 2 }, after: { number: 5 } } });
    expect(body).not.toContain('secret');
  });

  it.each([1, 3, 4, 6, 0, '05x', '999999999', '9999999999'])(
    'are not found for version %s, which is the first or was never published',
    async (number) => {
      expect((await version(number)).page).toMatchObject({ page: 'not_found' });
    },
  );

  it('are linked from the app’s history if available', async () => {
    const { body } = await server.anonymous.call('getPublicApp', { path: { app_id: app.app_id } });
    const revisions = (body as PublicAppDetail).revisions.map((one) => [one.number, one.changed_from]);
    expect(revisions).toEqual([
      [5, 2],
      [4, null],
      [3, null],
      [2, 1],
      [1, null],
    ]);
    const page = await open(`/explorer/${app.app_id}`);
    const links = [...page.body.matchAll(/href="\/explorer\/\w+\/versions\/(\d+)"/g)].map(
      ([, number]) => number,
    );
    expect(links).toEqual(['5', '2']);
  });

  it('appear with the owner of the contract that approves versions', async () => {
    const { db } = server.services;
    const host = await insertHost(db, { chain_id: 8453 });
    const guarded = await insertApp(db, { team_id: app.team_id, host, name: 'guarded' });
    await insertCvm(db, { ...guarded, host, change: { listed: true } });
    const index = { chain_id: 8453, address: `0x${guarded.app.app_id}` };
    const { id } = await db
      .insertInto('contract_indexes')
      .values(index)
      .returning('id')
      .executeTakeFirstOrThrow();
    const hash = (digit: string) => `0x${digit.repeat(64)}`;
    const event = {
      contract_id: id,
      log_index: 0,
      block_hash: hash('b'),
      sender: `0x${'5'.repeat(40)}`,
      at: new Date(),
    };
    await db
      .insertInto('contract_events')
      .values([
        {
          ...event,
          block_number: 1,
          tx_hash: hash('1'),
          kind: 'OwnershipTransferred',
          value: `0x${'a'.repeat(40)}`,
        },
        { ...event, block_number: 2, tx_hash: hash('2'), kind: 'ComposeHashAdded', value: hash('c') },
        {
          ...event,
          block_number: 3,
          tx_hash: hash('3'),
          kind: 'OwnershipTransferred',
          value: `0x${'0'.repeat(40)}`,
        },
      ])
      .execute();
    const { page, body } = await open(`/explorer/${guarded.app.app_id}`);
    expect(page).toMatchObject({
      app: { owner_changes: [{ tx_hash: hash('3') }, { owner: `0x${'a'.repeat(40)}`, tx_hash: hash('1') }] },
    });
    expect(body).toContain('<td data-label="Owner">Nobody</td>');
  });

  it('stay small for the largest files', async () => {
    const lines = (text: string) => `services: {}\n${`# ${text}\n`.repeat(25_000)}`.slice(0, 204_800);
    await update(6, lines('a'));
    await update(7, `${lines('b')}# ${'"'.repeat(1000)}`);
    const { page, body } = await version(7);
    expect(page).toMatchObject({ change: { left: expect.any(Number) as number } });
    expect(body).toContain('more lines aren’t shown');
    expect(body.length).toBeLessThan(200_000);
  });

  it('are computed once: a repeated read loads no Compose file', async () => {
    let files = 0;
    const db = server.services.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        files += result.rows.filter((row) => 'docker_compose_file' in row).length;
        return result;
      },
    });
    await update(8, compose('nginx:8'));
    await update(9, compose('nginx:9'));
    const first = await publicChange(db, app.app_id, 9);
    expect([first?.lines.length, files]).toEqual([expect.any(Number), 2]);
    expect(await publicChange(db, app.app_id, 9)).toEqual(first);
    expect(files).toBe(2);
  });

  it('disappear once the app is unpublished', async () => {
    await list(false);
    expect((await version(2)).page).toMatchObject({ page: 'not_found' });
    await list(true);
    expect((await version(2)).page).toMatchObject({ page: 'version' });
  });
});

it('marks characters that reorder the app’s Compose file, with a warning', async () => {
  await update(10, compose('nginx:10', '    # \u202eabc\n'));
  const { body } = await open(`/explorer/${app.app_id}`);
  expect(body).not.toContain('\u202e');
  expect(body).toContain('\ufffdabc');
  expect(body).toContain('The file has characters that hide or reorder text.');
  await update(11, compose('nginx:11'));
  expect((await open(`/explorer/${app.app_id}`)).body).not.toContain('The file has characters');
});
