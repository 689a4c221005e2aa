import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AppTemplate, Provision, Template } from '../../../generated/api/types.gen';
import { composeFileHash } from '../../domain/catalog/newerTemplate';
import { fakeKmsRoot } from '../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../drivers/vmm/fake';
import { announceTemplates } from '../../jobs/apps/announceTemplates';
import { identityOf, insertHost } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';
import { addMember, codeOf, NOT_FOUND } from '../teams/testing/members';

/** An app's template of origin, and updates to newer template versions. */
let server: TestServer;
let fake: FakeVmm;
let member: TestClient;
let team_id: number;
let original: Template;
const db = () => server.services.db;
const REFUSED = '400 ERR-02-008';

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  original = (await server.services.templates.find('valkey')) as Template;
  fake = await startFakeVmm();
  const host = await insertHost(db(), { name: 'templates', url: fake.url });
  await db()
    .updateTable('kms')
    .set({ url: `${fake.url}/kms`, k256_pubkey: fakeKmsRoot.k256_pubkey })
    .where('id', '=', host.kms.id)
    .execute();
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${host.teepod.id}, id from os_images`.execute(
    db(),
  );
});
beforeEach(async () => {
  member = await server.register();
  team_id = (await identityOf(db(), member.email!)).team_id;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const composeOf = (tag: string) =>
  `services:\n  cache:\n    image: valkey/valkey:${tag}@sha256:${'a'.repeat(64)}\n    environment:\n      PASSWORD: \${PASSWORD}\n`;

/** Replaces the server's templates with one whose first version was 1.0.0. */
function offer(version: string, change: Partial<Template> = {}): Template {
  const compose_file = change.compose_file ?? composeOf(version);
  const older = ['1.9.0', '1.0.0'].filter((one) => one !== version);
  const template = {
    ...original,
    id: 'test-cache',
    name: 'Test cache',
    version,
    changelog: [
      { version, date: '2026-11-26', text: `Changes of ${version}.` },
      ...older.map((one) => ({ version: one, date: '2026-11-20', text: `Changes of ${one}.` })),
    ],
    compose_file,
    compose_file_hash: composeFileHash(compose_file),
    ...change,
  };
  vi.spyOn(server.services.templates, 'find').mockImplementation(async (id) =>
    id === template.id ? template : undefined,
  );
  vi.spyOn(server.services.templates, 'all').mockResolvedValue([template]);
  return template;
}

const provision = (name: string, template: object | undefined, compose = composeOf('1.0.0')) =>
  member.call('provisionCvm', {
    body: {
      name,
      compose_file: { docker_compose_file: compose, allowed_envs: ['PASSWORD'] },
      ...(template ? { template } : {}),
    },
  });

async function deploy(name: string, template: object | undefined, compose?: string) {
  const answer = await provision(name, template, compose);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { app_id, compose_hash } = answer.body as Provision;
  const made = await member.call('createCvm', { body: { app_id, compose_hash } });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  const cvm = await db()
    .updateTable('cvms')
    .set({ status: 'running', desired: 'running' })
    .where('team_id', '=', team_id)
    .where('name', '=', name)
    .returning(['id', 'app_id', 'vm_uuid'])
    .executeTakeFirstOrThrow();
  await sql`update operations set state = 'succeeded', finished_at = now() where cvm_id = ${cvm.id}`.execute(
    db(),
  );
  return { app_id: app_id ?? '', app: cvm.app_id, cvm: cvm.id, vm_uuid: cvm.vm_uuid };
}

const templateOf = async (app_id: string, client = member): Promise<AppTemplate> =>
  (await client.call('getAppTemplate', { path: { app_id } })).body as AppTemplate;

/** The host runs the newest revision. */
const finishUpdate = async ({ app, cvm }: { app: number; cvm: number }) => {
  await sql`update cvms set status = 'running',
    revision_id = (select id from revisions where app_id = ${app} order by number desc limit 1) where id = ${cvm}`.execute(
    db(),
  );
  await sql`update operations set state = 'succeeded', finished_at = now() where cvm_id = ${cvm}`.execute(
    db(),
  );
};

describe('an app from a template', () => {
  it('names its template, to its team only', async () => {
    const { name, compose_file } = offer('1.0.0');
    const { app_id } = await deploy('from-template', { id: 'test-cache', version: '1.0.0' });
    expect(await templateOf(app_id)).toEqual({
      template: {
        source: 'server',
        id: 'test-cache',
        name,
        version: '1.0.0',
        is_offered: true,
        is_modified: false,
        compose_file,
      },
      newer: null,
    });
    const viewer = await addMember(server, member.slug!, 'viewer');
    expect(
      (await templateOf(app_id, viewer.client.with({ 'x-workspace': member.slug! }))).template?.version,
    ).toBe('1.0.0');
    const stranger = await server.register();
    expect(codeOf(await stranger.call('getAppTemplate', { path: { app_id } }))).toBe(NOT_FOUND);
    expect(codeOf(await member.call('getAppTemplate', { path: { app_id: 'ab'.repeat(20) } }))).toBe(
      NOT_FOUND,
    );
    expect(codeOf(await server.anonymous.call('getAppTemplate', { path: { app_id } }))).toContain('401');
  });

  it('names none if it was deployed without one', async () => {
    const { app_id } = await deploy('no-template', undefined);
    expect(await templateOf(app_id)).toEqual({ template: null, newer: null });
  });

  it('keeps the form’s version if the form is older than the server’s template', async () => {
    offer('2.0.0');
    const { app_id } = await deploy('older-form', { id: 'test-cache', version: '1.0.0' });
    expect(await templateOf(app_id)).toMatchObject({
      template: { version: '1.0.0' },
      newer: { version: '2.0.0' },
    });
  });

  it('keeps its origin when the template is removed', async () => {
    offer('1.0.0');
    const { app_id } = await deploy('orphaned-app', { id: 'test-cache', version: '1.0.0' });
    vi.restoreAllMocks();
    expect(await templateOf(app_id)).toMatchObject({
      template: { version: '1.0.0', is_offered: false },
      newer: null,
    });
  });

  it('can’t name a template that doesn’t exist', async () => {
    offer('1.0.0');
    const unknown = await provision('unknown-template', { id: 'no-such', version: '1.0.0' });
    expect(codeOf(unknown)).toBe(REFUSED);
    expect(unknown.body).toMatchObject({ detail: { details: [{ field: 'template.id' }] } });
    const version = await provision('unknown-version', { id: 'test-cache', version: '7.0.0' });
    expect(codeOf(version)).toBe(REFUSED);
    expect(version.body).toMatchObject({ detail: { details: [{ field: 'template.version' }] } });
    expect(codeOf(await provision('unknown-key', { id: 'test-cache' }))).toBe('422 ERR-00-005');
  });
});

describe('a newer version of the template', () => {
  it('is offered with its changes, once its file differs', async () => {
    offer('1.0.0');
    const { app_id } = await deploy('behind-app', { id: 'test-cache', version: '1.0.0' });
    offer('1.0.1', { compose_file: composeOf('1.0.0') });
    expect((await templateOf(app_id)).newer).toBeNull();
    const newest = offer('1.10.0');
    expect(await templateOf(app_id)).toMatchObject({
      template: { version: '1.0.0', is_modified: false },
      newer: {
        version: '1.10.0',
        compose_file: newest.compose_file,
        changelog: [{ version: '1.10.0' }, { version: '1.9.0' }],
      },
    });
    offer('0.9.0');
    expect((await templateOf(app_id)).newer).toBeNull();
  });

  it('becomes the app’s version with the update, and a rollback restores the old one', async () => {
    offer('1.0.0');
    const app = await deploy('updated-app', { id: 'test-cache', version: '1.0.0' });
    const own = `${composeOf('1.0.0')}    restart: always\n`;
    const path = { cvm_id: app.vm_uuid };
    expect((await member.call('patchCvm', { path, body: { docker_compose_file: own } })).status).toBe(202);
    await finishUpdate(app);
    expect(await templateOf(app.app_id)).toMatchObject({ template: { version: '1.0.0', is_modified: true } });

    const { compose_file } = offer('1.10.0');
    const template = { id: 'test-cache', version: '1.10.0' };
    const body = { docker_compose_file: compose_file, template };
    expect((await member.call('patchCvm', { path, body })).status).toBe(202);
    await finishUpdate(app);
    expect(await templateOf(app.app_id)).toMatchObject({
      template: { version: '1.10.0', is_modified: false },
      newer: null,
    });

    const { revisions } = (await member.call('listAppRevisions', { path: { app_id: app.app_id } })).body;
    const first = revisions.at(-1)!.revision_id;
    const back = await member.call('redeployCvmRevision', {
      path: { ...path, revision_id: first },
      body: {},
    });
    expect(back.status).toBe(202);
    await finishUpdate(app);
    expect(await templateOf(app.app_id)).toMatchObject({
      template: { version: '1.0.0' },
      newer: { version: '1.10.0' },
    });
    const rollout = await member.call('createRollout', { path: { app_id: app.app_id }, body });
    expect(rollout.status, JSON.stringify(rollout.body)).toBe(202);
    await finishUpdate(app);
    expect((await templateOf(app.app_id)).template?.version).toBe('1.10.0');
  });

  it('requires a Compose file', async () => {
    offer('1.0.0');
    const app = await deploy('lone-template', { id: 'test-cache', version: '1.0.0' });
    const template = { id: 'test-cache', version: '1.0.0' };
    const alone = await member.call('patchCvm', { path: { cvm_id: app.vm_uuid }, body: { template } });
    expect(codeOf(alone)).toBe(REFUSED);
    const rollout = await member.call('createRollout', { path: { app_id: app.app_id }, body: { template } });
    expect(codeOf(rollout)).toBe(REFUSED);
    const unknown = await member.call('patchCvm', {
      path: { cvm_id: app.vm_uuid },
      body: { docker_compose_file: composeOf('3'), template: { id: 'no-such', version: '1.0.0' } },
    });
    expect(codeOf(unknown)).toBe(REFUSED);
  });
});

describe('the notification of a newer version', () => {
  const announce = () => announceTemplates({ db: db(), templates: server.services.templates });
  const notices = async (client = member) => {
    const { body } = await client.call('listNotifications', { query: { limit: 50 } });
    return body.data.filter(({ kind }) => kind === 'template_version');
  };

  it('is sent once per app and version, and ends with the update', async () => {
    offer('1.0.0');
    const app = await deploy('noticed-app', { id: 'test-cache', version: '1.0.0' });
    const viewer = await addMember(server, member.slug!, 'viewer');
    await announce();
    expect(await notices()).toEqual([]);

    const { compose_file } = offer('1.9.0');
    await announce();
    await announce();
    expect(await notices()).toMatchObject([
      {
        title: 'Test cache 1.9.0 is available for noticed-app',
        severity: 'info',
        count: 1,
        resolved_at: null,
        cvm: { app_id: app.app_id },
      },
    ]);
    // Viewers can't update.
    expect(await notices(viewer.client)).toEqual([]);

    await member.call('markNotificationsRead', { body: { all: true } });
    await announce();
    expect((await notices())[0]?.read_at).not.toBeNull();

    await member.call('patchCvm', {
      path: { cvm_id: app.vm_uuid },
      body: { docker_compose_file: compose_file, template: { id: 'test-cache', version: '1.9.0' } },
    });
    await finishUpdate(app);
    await announce();
    expect((await notices())[0]?.resolved_at).not.toBeNull();

    offer('1.10.0');
    await announce();
    expect((await notices())[0]).toMatchObject({
      title: 'Test cache 1.10.0 is available for noticed-app',
      resolved_at: null,
      read_at: null,
    });
  });

  it('reaches every app, however many there are', async () => {
    offer('1.0.0');
    const app = await deploy('one-of-many', { id: 'test-cache', version: '1.0.0' });
    await sql`
      with made as (
        insert into apps (public_id, app_id, team_id, name)
        select 'prj_many' || n, lpad(to_hex(n), 40, '0'), ${team_id}, 'many-' || n from generate_series(1, 450) n
        returning id),
      revised as (
        insert into revisions (public_id, app_id, number, app_compose, compose_hash, docker_compose_file, operation_type,
          template_version_id)
        select 'rev_many' || made.id, made.id, 1, r.app_compose, r.compose_hash, r.docker_compose_file, 'deploy',
          r.template_version_id
        from made, revisions r where r.app_id = ${app.app} returning id, app_id)
      insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, name, status, vcpu, memory_mb, disk_gb,
        hourly_rate_micros, os_image, public_logs, public_sysinfo, public_tcbinfo)
      select 'cvm_many' || revised.id, gen_random_uuid(), ${team_id}, revised.app_id, revised.id, c.teepod_id,
        'many-' || revised.id, 'running', 1, 512, 1, 1, c.os_image, false, false, false
      from revised, cvms c where c.id = ${app.cvm}`.execute(db());
    offer('2.0.0');
    await announce();
    const { rows } = await sql<{ told: number; apps: number }>`
      select count(*)::int as told, count(distinct subject)::int as apps from notifications
      where team_id = ${team_id} and kind = 'template_version'`.execute(db());
    expect(rows[0]).toEqual({ told: 451, apps: 451 });
  });
});
