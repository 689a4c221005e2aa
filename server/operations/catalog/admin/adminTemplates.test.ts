import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import { DEFAULT_SITE } from '../../../../console/lib/public/siteContent';
import { renderPage } from '../../../../console/public/render';
import { offeredTemplates } from '../../../db/catalog/offeredTemplates';
import { loaderOf } from '../../../http/pages/public/loaders';
import { codeOf, CONFLICT, FORBIDDEN, INVALID, NOT_FOUND, registerUser } from '../../teams/testing/members';

/** Templates that administrators add: entered by hand or read from a URL. */
let server: TestServer;
let admin: TestClient;
let member: TestClient;
let web: Server;
let files: Record<string, { status?: number; text: string | Buffer; location?: string }>;
let base: string;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', WEBHOOKS_TO_LOCALHOST: 'on' } });
  admin = await server.register();
  member = await server.register();
  web = createServer((req, res) => {
    const { status = 200, text, location } = files[req.url ?? ''] ?? { status: 404, text: '' };
    res.writeHead(status, location === undefined ? {} : { location });
    res.end(text);
  });
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
});
beforeEach(() => {
  files = {};
});
afterAll(async () => {
  await server.stop();
  web.close();
});

const compose_file = (tag = '1') =>
  `services:\n  web:\n    image: example/web:${tag}@sha256:${'a'.repeat(64)}\n    environment:\n      NAME: \${NAME}\n`;
const metadata = (version = '1.0.0', more = '') => `name: Our service
summary: What we run.
description: It runs.
category: tools
version: ${version}
license: MIT
resources: { memory_mb: 1024, disk_gb: 10 }
inputs:
  - { key: NAME, label: Name }
verify:
  - That it runs
changelog:
  - { version: ${version}, date: '2026-11-26', text: A version. }
${more}`;
let count = 0;
const newId = () => `our-service-${(count += 1)}`;
const create = (body: object, client = admin) => client.call('createAdminTemplate', { body });
/** Returns the public page at this path, as visitors see it. */
async function pageAt(path: string): Promise<string> {
  const load = loaderOf(path, 'eliza', DEFAULT_SITE);
  const page = load ? await load(server.services, () => null, '192.0.2.1') : { page: 'not_found' as const };
  return renderPage({
    page,
    path,
    public_url: '',
    signed_in: false,
    can_register: true,
    agent_framework: 'eliza',
    security_contact: null,
    hosts: { has_hardware: true, is_open: true },
    has_mail: true,
    site: DEFAULT_SITE,
  }).body;
}
const offered = async (id: string) =>
  (await server.anonymous.call('getTemplate', { path: { template_id: id } })) as {
    status: number;
    body: { version?: string };
  };

describe('an administrator’s template', () => {
  it('is offered to everyone immediately, and can be changed, hidden and removed', async () => {
    const id = newId();
    const made = await create({ id, metadata: metadata(), compose_file: compose_file() });
    expect(codeOf(made), JSON.stringify(made.body)).toBe('201');
    expect(made.body).toMatchObject({
      id,
      name: 'Our service',
      version: '1.0.0',
      state: 'offered',
      source_url: null,
    });
    expect((await offered(id)).body.version).toBe('1.0.0');
    expect((await server.anonymous.call('listTemplates')).body.map((one) => one.id)).toContain(id);
    expect(await pageAt('/templates')).toContain(`href="/templates/${id}"`);
    expect(await pageAt(`/templates/${id}`)).toContain('example/web:1@sha256:');
    const [row] = (await admin.call('listAdminTemplates')).body.filter((one) => one.id === id);
    expect(row).toMatchObject({ id, name: 'Our service', origin: 'entered', source_url: null });
    // 200 of them with their files would be 26 MB.
    for (const file of ['metadata', 'compose_file']) expect(row).not.toHaveProperty(file);
    const record = (await admin.call('getAdminTemplate', { path: { id } })).body;
    expect(record).toMatchObject({ metadata: metadata(), compose_file: compose_file() });
    // Another process of the server offers it too.
    const log = { warn: () => expect.fail('no fault') };
    const other = offeredTemplates(server.services.db, { all: () => [], find: () => undefined }, log);
    expect((await other.find(id))?.version).toBe('1.0.0');

    const path = { id };
    const changed = await admin.call('updateAdminTemplate', { path, body: { metadata: metadata('1.1.0') } });
    expect(changed.body).toMatchObject({ version: '1.1.0' });
    expect((await offered(id)).body.version).toBe('1.1.0');
    await admin.call('updateAdminTemplate', { path, body: { state: 'hidden' } });
    expect((await offered(id)).status).toBe(404);
    await admin.call('updateAdminTemplate', { path, body: { state: 'offered' } });
    expect((await offered(id)).status).toBe(200);
    expect(codeOf(await admin.call('deleteAdminTemplate', { path }))).toBe('204');
    expect((await offered(id)).status).toBe(404);
    expect(await pageAt(`/templates/${id}`)).toContain('Page not found');
    expect(await other.find(id)).toBeUndefined();
    for (const operation of ['getAdminTemplate', 'deleteAdminTemplate'] as const)
      expect(codeOf(await admin.call(operation, { path }))).toBe(NOT_FOUND);
    expect(codeOf(await admin.call('updateAdminTemplate', { path, body: { state: 'hidden' } }))).toBe(
      NOT_FOUND,
    );
    const entries = await server.services.db
      .selectFrom('audit_log')
      .select('action')
      .where('target_kind', '=', 'template')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute();
    expect(entries.map(({ action }) => action)).toEqual([
      'template.create',
      'template.update',
      'template.update',
      'template.update',
      'template.delete',
    ]);
  });

  it('overrides the built-in one with the same ID until it is removed', async () => {
    const before = (await offered('whoami')).body.version;
    await create({ id: 'whoami', metadata: metadata('9.9.9'), compose_file: compose_file() });
    expect((await offered('whoami')).body.version).toBe('9.9.9');
    await admin.call('deleteAdminTemplate', { path: { id: 'whoami' } });
    expect((await offered('whoami')).body.version).toBe(before);
  });

  it('is managed by administrators only', async () => {
    const id = newId();
    const body = { id, metadata: metadata(), compose_file: compose_file() };
    expect(codeOf(await create(body, member))).toBe(FORBIDDEN);
    await create(body);
    const path = { id };
    for (const [operation, more] of [
      ['listAdminTemplates', {}],
      ['getAdminTemplate', { path }],
      ['updateAdminTemplate', { path, body: { state: 'hidden' } }],
      ['deleteAdminTemplate', { path }],
      ['reloadAdminTemplate', { path }],
    ] as const)
      expect(codeOf(await member.call(operation, more)), operation).toBe(FORBIDDEN);
    expect((await offered(id)).status).toBe(200);
    // Support reads and changes nothing.
    const support = await registerUser(server);
    await server.services.db
      .updateTable('users')
      .set({ platform_role: 'support' })
      .where('id', '=', support.user_id)
      .execute();
    expect(codeOf(await support.client.call('getAdminTemplate', { path }))).toBe('200');
    expect(codeOf(await support.client.call('deleteAdminTemplate', { path }))).toBe(FORBIDDEN);
  });

  it('is not overwritten after another administrator’s change', async () => {
    const id = newId();
    const path = { id };
    const etag =
      (await create({ id, metadata: metadata(), compose_file: compose_file() })).headers.get('etag') ?? '';
    const change = (version: string) =>
      admin.call('updateAdminTemplate', {
        path,
        body: { metadata: metadata(version) },
        headers: { 'if-match': etag },
      });
    expect(codeOf(await change('1.1.0'))).toBe('200');
    expect(codeOf(await change('1.2.0'))).toBe('412 ERR-00-020');
    expect((await offered(id)).body.version).toBe('1.1.0');
  });

  it('is limited to 200', async () => {
    const { db } = server.services;
    const filler = Array.from({ length: 200 }, (_, i) => ({
      id: `filler-${i}`,
      metadata: metadata(),
      compose_file: compose_file(),
      source_url: null,
      name: 'Filler',
      version: '1.0.0',
      category: 'tools' as const,
      state: 'offered' as const,
    }));
    await db.insertInto('operator_templates').values(filler).execute();
    const listed = (await server.anonymous.call('listTemplates')).body.map((one) => one.id);
    expect(listed).toEqual(expect.arrayContaining(filler.map(({ id }) => id)));
    expect(codeOf(await create({ id: newId(), metadata: metadata(), compose_file: compose_file() }))).toBe(
      '409 ERR-01-010',
    );
    await db.deleteFrom('operator_templates').where('id', 'like', 'filler-%').execute();
    expect((await offered('filler-7')).status).toBe(404);
  });

  it('names the invalid field', async () => {
    const faults: [object, string][] = [
      [{ metadata: metadata('one') }, 'metadata'],
      [{ metadata: 'name: [' }, 'metadata'],
      [{ compose_file: 'services:\n  web:\n    image: nginx\n' }, 'compose_file'],
      [{ id: 'Not-An-Id!' }, 'id'],
      [{ source_url: 'https://example.test/' }, 'source_url'],
      [{ metadata: `${metadata()}${'#'.repeat(66_000)}` }, 'metadata'],
      [{ metadata: undefined }, 'metadata'],
      [
        {
          metadata: metadata().replace(
            'label: Name',
            `label: Name, pattern: '(a+)+', default: ${'a'.repeat(40)}b`,
          ),
        },
        'metadata',
      ],
    ];
    for (const [change, field] of faults) {
      const answer = await create({
        id: newId(),
        metadata: metadata(),
        compose_file: compose_file(),
        ...change,
      });
      expect(codeOf(answer), field).toBe(INVALID);
      expect(JSON.stringify(answer.body)).toContain(`"${field}"`);
    }
    const id = newId();
    await create({ id, metadata: metadata(), compose_file: compose_file() });
    expect(codeOf(await create({ id, metadata: metadata(), compose_file: compose_file() }))).toBe(CONFLICT);
    const bad = await admin.call('updateAdminTemplate', {
      path: { id },
      body: { compose_file: 'services: {}\n' },
    });
    expect(codeOf(bad)).toBe(INVALID);
    expect((await offered(id)).status).toBe(200);
  });
});

describe('a template from a URL', () => {
  const serve = (version: string) => {
    files['/repo/template.yaml'] = { text: metadata(version) };
    files['/repo/docker-compose.yml'] = { text: compose_file(version) };
  };

  it('is read, and reloaded on request', async () => {
    serve('1.0.0');
    const id = newId();
    const made = await create({ id, source_url: `${base}/repo` });
    expect(codeOf(made), JSON.stringify(made.body)).toBe('201');
    expect(made.body).toMatchObject({ version: '1.0.0', origin: 'address', source_url: `${base}/repo/` });
    serve('1.1.0');
    const path = { id };
    expect((await admin.call('reloadAdminTemplate', { path })).body).toMatchObject({ version: '1.1.0' });
    expect((await offered(id)).body.version).toBe('1.1.0');
    files = {};
    expect(codeOf(await admin.call('reloadAdminTemplate', { path }))).toBe(INVALID);
    expect((await offered(id)).body.version).toBe('1.1.0');
    // Entered by hand from then on.
    await admin.call('updateAdminTemplate', { path, body: { metadata: metadata('2.0.0') } });
    expect(codeOf(await admin.call('reloadAdminTemplate', { path }))).toBe(CONFLICT);
    expect(codeOf(await admin.call('reloadAdminTemplate', { path: { id: 'no-such' } }))).toBe(NOT_FOUND);
  });

  it('follows no redirects and is read up to a limit', async () => {
    const refused = async (source_url: string) => {
      const answer = await create({ id: newId(), source_url });
      expect(codeOf(answer), source_url).toBe(INVALID);
      return JSON.stringify(answer.body);
    };
    files['/moved/template.yaml'] = { status: 302, text: '', location: `${base}/repo/template.yaml` };
    expect(await refused(`${base}/moved`)).toContain('302');
    files['/large/template.yaml'] = { text: 'x'.repeat(200_000) };
    expect(await refused(`${base}/large`)).toContain('131072 bytes');
    files['/binary/template.yaml'] = { text: Buffer.from([0xff, 0xfe]) };
    expect(await refused(`${base}/binary`)).toContain('UTF-8');
    files['/nul/template.yaml'] = { text: `${metadata()}# \0` };
    files['/nul/docker-compose.yml'] = { text: compose_file() };
    await refused(`${base}/nul`);
    files['/tags/template.yaml'] = { text: metadata() };
    files['/tags/docker-compose.yml'] = { text: 'services:\n  web:\n    image: nginx:1\n' };
    expect(await refused(`${base}/tags`)).toContain('needs a digest');
    await refused('http://10.0.0.1/');
    await refused('https://169.254.169.254/latest/');
    await refused(`${base.replace('http://', 'http://user:password@')}/repo`);
    await refused(`${base}/repo?token=1`);
    await refused('file:///etc/');
    await refused('not an address');
  });
});
