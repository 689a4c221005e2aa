import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PublicAppDetail } from '../../../../generated/api/types.gen';
import { DEFAULT_SITE } from '../../../../console/lib/public/siteContent';
import { renderPage } from '../../../../console/public/render';
import { publicAppDetail } from '../../../operations/public/publicApp';
import { insertApp, insertCvm, insertHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestServer } from '../../../testing/server';

/** Contents of a published app's page. */

let server: TestServer;
let app: PublicAppDetail;
beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  await server.register();
  const { db, compose } = server.services;
  const team = await db.selectFrom('teams').select('id').executeTakeFirstOrThrow();
  const host = await insertHost(db, { kind: 'local' });
  const made = await insertApp(db, { team_id: team.id, host, name: 'shown-app' });
  await insertCvm(db, { ...made, host, change: { listed: true } });
  app = await publicAppDetail({ db, compose }, made.app.app_id, '');
});
afterAll(() => server?.stop());

const bodyOf = ({ has_mail = true, support = null as string | null, shown = app } = {}) =>
  renderPage({
    page: { page: 'app', app: shown },
    path: `/explorer/${app.app_id}`,
    public_url: 'http://localhost',
    signed_in: false,
    can_register: true,
    agent_framework: 'eliza',
    security_contact: null,
    hosts: { has_hardware: true, is_open: true },
    has_mail,
    site: { ...DEFAULT_SITE, support },
  }).body;

it('offers no mail form on a server without mail', () => {
  expect(bodyOf()).toContain('Watch by email');
  const html = bodyOf({ has_mail: false });
  expect(html).not.toContain('Watch by email');
  expect(html).toContain('This server doesn’t send email.');
  expect(html).toContain('Watch by webhook');
});

it('links the evidence, and an alternative way to report, for visitors without scripts', () => {
  const html = bodyOf({ support: 'mailto:help@example.test' });
  const without = [...html.matchAll(/<noscript>(.*?)<\/noscript>/gs)].map(([, text = '']) => text).join(' ');
  const vm_uuid = app.cvms[0]?.vm_uuid ?? '';
  expect(without).toContain(`href="/api/v1/explorer/apps/${app.app_id}/evidence?vm_uuid=${vm_uuid}"`);
  expect(without).toContain('href="mailto:help@example.test"');
});

it('offers copy buttons for text to use elsewhere', () => {
  const names = [...bodyOf().matchAll(/aria-label="Copy: ([^"]+)"/g)].map(([, name]) => name);
  expect(names.sort()).toEqual([
    'App ID',
    'Badge in Markdown',
    'Compose file',
    'Compose hash',
    'File for the app’s domain',
    'Frame in HTML',
  ]);
});

it('marks simulated CVMs of an app that also runs on TEE hosts', () => {
  const [cvm] = app.cvms;
  if (!cvm) return expect.fail('the app has no CVM');
  const named = (name: string, trust: 'hardware' | 'simulated') => ({ ...cvm, name, vm_uuid: name, trust });
  const html = bodyOf({
    shown: { ...app, trust: 'hardware', cvms: [named('on-tee', 'hardware'), named('on-local', 'simulated')] },
  });
  const rows = [...html.matchAll(/<th scope="row">(on-\w+)(.*?)<\/th>/g)];
  expect(rows.map(([, name, rest = '']) => [name, rest.includes('Simulated: no TEE hardware')])).toEqual([
    ['on-tee', false],
    ['on-local', true],
  ]);
});

it('doesn’t claim completeness if the server omits some', () => {
  expect(bodyOf()).toContain('Every version of the app');
  const [revision] = app.revisions;
  const [service] = app.services ?? [];
  const [cvm] = app.cvms;
  if (!revision || !service || !cvm) return expect.fail('the app has no version, service or CVM');
  const html = bodyOf({
    shown: {
      ...app,
      revisions: Array.from({ length: 100 }, (_, i) => ({ ...revision, number: 250 - i })),
      services: Array.from({ length: 100 }, (_, i) => ({ ...service, name: `service-${i}` })),
      cvms: Array.from({ length: 100 }, (_, i) => ({ ...cvm, name: `cvm-${i}`, vm_uuid: `uuid-${i}` })),
    },
  });
  expect(html).not.toContain('Every version');
  expect(html).toContain('The last 100 versions of the app');
  const text = html.replaceAll('<!-- -->', '');
  expect(text).toContain('Up to 100 services are listed.');
  expect(text).toContain('Up to 100 CVMs are listed');
});

it('states who can change the app, and what a contract adds', () => {
  const kms = { slug: 'kms', type: 'base', chain_id: 8453, contract_address: `0x${'a'.repeat(40)}` } as const;
  expect(bodyOf()).toContain('can change the app at any time, without notice.');
  expect(bodyOf()).not.toContain('versions that its contract allows');
  expect(bodyOf({ shown: { ...app, kms } })).toContain('the contract’s owner can allow more at any time.');
  const gone = { owner: `0x${'0'.repeat(40)}`, tx_hash: `0x${'c'.repeat(64)}`, at: app.created_at };
  expect(bodyOf({ shown: { ...app, kms, owner_changes: [gone] } })).toContain(
    'versions that its contract allows, and its last ownership change left it without an owner who could allow more.',
  );
  // An event doesn't prove it: any contract can emit one.
  expect(bodyOf({ shown: { ...app, kms, owner_changes: [gone] } })).not.toContain('nobody owns');
});

it('attributes what nothing on the page proves to this server’s records', () => {
  const html = bodyOf({ shown: { ...app, trust: 'hardware' } });
  expect(html).toContain('checks it against this server’s records.');
  expect(html).not.toContain('opinion');
  expect(html).toContain('As deployed, by this server’s records.');
  expect(html).not.toContain('part of the quote');
});
