import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Provision, TeamTemplate } from '../../../../generated/api/types.gen';
import { MAX_TEAM_TEMPLATES } from '../../../domain/catalog/teamTemplate';
import { fakeKmsRoot } from '../../../drivers/vmm/fakeKms';
import { startFakeVmm, type FakeVmm } from '../../../drivers/vmm/fake';
import { announceTemplates } from '../../../jobs/apps/announceTemplates';
import { insertHost } from '../../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../../testing/server';
import {
  addMember,
  auditOf,
  codeOf,
  CONFLICT,
  FORBIDDEN,
  INVALID,
  NOT_FOUND,
  registerUser,
  type TestMember,
} from '../../teams/testing/members';

/** A team's private templates. */
let server: TestServer;
let fake: FakeVmm;
let owner: TestMember;
let stranger: TestMember;
const slug = 'keepers';
const others = 'others';
const db = () => server.services.db;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
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
  owner = await registerUser(server);
  stranger = await registerUser(server);
  await owner.client.call('createWorkspace', { body: { name: 'Keepers', slug } });
  await stranger.client.call('createWorkspace', { body: { name: 'Others', slug: others } });
});
afterAll(async () => {
  await server.stop();
  await fake.close();
});

const composeOf = (tag: string) => `services:
  db:
    image: postgres:${tag}
    environment:
      POSTGRES_PASSWORD: \${DB_PASSWORD}
      POSTGRES_DB: \${DB_NAME:-orders}
`;
const resources = { vcpu: 1, memory_mb: 2048, disk_gb: 20 };
let count = 0;
const create = (body: object = {}, client: TestClient = owner.client, team = slug) =>
  client.call('createTeamTemplate', {
    path: { slug: team },
    body: {
      name: `Database ${(count += 1)}`,
      summary: 'Orders.',
      compose_file: composeOf('17'),
      resources,
      ...body,
    },
  });
async function made(body: object = {}, client?: TestClient, team?: string): Promise<TeamTemplate> {
  const answer = await create(body, client, team);
  expect(codeOf(answer), JSON.stringify(answer.body)).toBe('201');
  return answer.body as TeamTemplate;
}
const at = ({ id }: Pick<TeamTemplate, 'id'>, team = slug) => ({ slug: team, template_id: id });
const update = (template: TeamTemplate, body: object, headers: Record<string, string> = {}) =>
  owner.client.call('updateTeamTemplate', { path: at(template), body, headers });

async function deploy(client: TestClient, name: string, template: TeamTemplate) {
  const inTeam = client.with({ 'x-workspace': slug });
  const answer = await inTeam.call('provisionCvm', {
    body: {
      name,
      compose_file: { docker_compose_file: template.compose_file, allowed_envs: ['DB_PASSWORD'] },
      template: { id: template.id, version: template.version },
    },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const { app_id, compose_hash } = answer.body as Provision;
  expect((await inTeam.call('createCvm', { body: { app_id, compose_hash } })).status).toBe(200);
  await sql`update cvms set status = 'running' where name = ${name}`.execute(db());
  return app_id ?? '';
}

const templateOf = async (app_id: string) =>
  (await owner.client.with({ 'x-workspace': slug }).call('getAppTemplate', { path: { app_id } })).body;

describe('a team template', () => {
  it('asks for the variables of its Compose file, and holds no values', async () => {
    const template = await made({ name: '  Order service  ' });
    expect(template).toMatchObject({
      name: 'Order service',
      version: '1',
      resources,
      images: ['postgres:17'],
      inputs: [
        { key: 'DB_PASSWORD', label: 'Db password', secret: true, required: true, default: null },
        {
          key: 'DB_NAME',
          secret: false,
          required: false,
          default: null,
          description: 'orders if left empty.',
        },
      ],
      changelog: [{ version: '1', text: 'First version.' }],
    });
    const path = { slug };
    const listed = (await owner.client.call('listTeamTemplates', { path })).body;
    expect(listed).toContainEqual({
      id: template.id,
      name: 'Order service',
      summary: 'Orders.',
      version: '1',
      updated_by: template.updated_by,
      updated_at: template.updated_at,
    });
    const read = await owner.client.call('getTeamTemplate', { path: at(template) });
    expect(read.body).toEqual(template);
    expect(read.headers.get('etag')).toBe(template.etag);
  });

  it('gets a new version with each change, and keeps the earlier ones', async () => {
    const template = await made();
    const changed = await update(template, { compose_file: composeOf('18'), change: 'PostgreSQL 18.' });
    expect(changed.body).toMatchObject({
      version: '2',
      compose_file: composeOf('18'),
      images: ['postgres:18'],
      changelog: [
        { version: '2', text: 'PostgreSQL 18.' },
        { version: '1', text: 'First version.' },
      ],
    });
    const renamed = await update(template, { name: 'Renamed database' });
    expect(renamed.body).toMatchObject({ version: '3', name: 'Renamed database', summary: 'Orders.' });
    expect(codeOf(await owner.client.call('deleteTeamTemplate', { path: at(template) }))).toBe('204');
    expect(codeOf(await owner.client.call('getTeamTemplate', { path: at(template) }))).toBe(NOT_FOUND);
    for (const action of ['template.create', 'template.update', 'template.delete'])
      expect((await auditOf(server, slug, action))[0]).toMatchObject({
        target_id: template.id,
        actor_user_id: owner.user_id,
      });
  });

  it('can be changed only at the version that was read', async () => {
    const template = await made();
    const first = await update(template, { summary: 'One.' }, { 'if-match': template.etag });
    expect(first.status).toBe(200);
    const stale = await update(template, { summary: 'Two.' }, { 'if-match': template.etag });
    expect(codeOf(stale)).toBe('412 ERR-00-020');
  });

  it('is read by viewers, changed by members, and hidden from other teams', async () => {
    const template = await made();
    const viewer = await addMember(server, slug, 'viewer');
    const body = { summary: 'Changed.' };
    expect((await viewer.client.call('getTeamTemplate', { path: at(template) })).status).toBe(200);
    expect(codeOf(await create({}, viewer.client))).toBe(FORBIDDEN);
    expect(codeOf(await viewer.client.call('updateTeamTemplate', { path: at(template), body }))).toBe(
      FORBIDDEN,
    );
    expect(codeOf(await viewer.client.call('deleteTeamTemplate', { path: at(template) }))).toBe(FORBIDDEN);
    const member = await addMember(server, slug, 'member');
    expect((await member.client.call('updateTeamTemplate', { path: at(template), body })).status).toBe(200);
    // Neither under their own team, which doesn't have it, nor under the other.
    for (const team of [slug, others])
      for (const [id, more] of [
        ['getTeamTemplate', {}],
        ['updateTeamTemplate', { body }],
        ['deleteTeamTemplate', {}],
      ] as const)
        expect(
          codeOf(await stranger.client.call(id, { path: at(template, team), ...more })),
          `${id} ${team}`,
        ).toBe(NOT_FOUND);
    expect(codeOf(await stranger.client.call('listTeamTemplates', { path: { slug } }))).toBe(NOT_FOUND);
    expect(codeOf(await create({}, stranger.client))).toBe(NOT_FOUND);
    expect((await stranger.client.call('listTeamTemplates', { path: { slug: others } })).body).toEqual([]);
  });
});

it('ends with its team', async () => {
  const who = await registerUser(server);
  await who.client.call('createWorkspace', { body: { name: 'Ending', slug: 'ending-team' } });
  const { id } = await made({}, who.client, 'ending-team');
  const ended = await who.client.call('deleteWorkspace', {
    path: { slug: 'ending-team' },
    body: { slug: 'ending-team' },
  });
  expect(codeOf(ended)).toBe('204');
  const { rows } = await sql`select 1 from team_templates where public_id = ${id}`.execute(db());
  expect(rows).toEqual([]);
});

describe('a team template rejects', () => {
  it('an invalid Compose file, with the line number', async () => {
    const broken = await create({ compose_file: 'services:\n  db: [\n' });
    expect(codeOf(broken)).toBe('400 ERR-01-003');
    const template = await made();
    expect(codeOf(await update(template, { compose_file: 'services: {}\n' }))).toBe('400 ERR-01-003');
    const deep = `services:\n  db:\n    image: a\n    labels: ${'['.repeat(2_000)}${']'.repeat(2_000)}\n`;
    expect(codeOf(await create({ compose_file: deep }))).toBe('400 ERR-01-009');
    const many = Array.from({ length: 51 }, (_, i) => `      V${i}: \${V${i}}\n`).join('');
    const variables = await create({
      compose_file: `services:\n  db:\n    image: a\n    environment:\n${many}`,
    });
    expect(codeOf(variables)).toBe(INVALID);
    expect(codeOf(await create({ compose_file: `#${'x'.repeat(65_536)}` }))).toBe(INVALID);
  });

  it('misleading text', async () => {
    for (const name of ['a\u202eb', 'a\u0000b', '\u200b', '  ', 'two\nlines'])
      expect(codeOf(await create({ name })), JSON.stringify(name)).toBe(INVALID);
    expect(codeOf(await create({ summary: 'a\u2066b' }))).toBe(INVALID);
    const template = await made();
    expect(codeOf(await update(template, { summary: 'Same.', change: 'a\u202eb' }))).toBe(INVALID);
  });

  it('a duplicate name', async () => {
    const { name } = await made({ name: 'Only One' });
    expect(codeOf(await create({ name: 'only one' }))).toBe(CONFLICT);
    const other = await made();
    expect(codeOf(await update(other, { name }))).toBe(CONFLICT);
    // Another team may have it.
    await made({ name }, stranger.client, others);
  });

  it('an empty change', async () => {
    const template = await made();
    expect(codeOf(await update(template, {}))).toBe('400 ERR-02-008');
    expect(codeOf(await update(template, { change: 'Nothing.' }))).toBe('400 ERR-02-008');
  });

  it('more than the limit per team, even concurrently', async () => {
    const who = await registerUser(server);
    await who.client.call('createWorkspace', { body: { name: 'Full', slug: 'full-of-them' } });
    const first = await made({}, who.client, 'full-of-them');
    await sql`
      insert into team_templates (public_id, team_id, name, summary, vcpu, memory_mb, disk_gb, inputs, images, version_id)
      select 'tpl_full' || n, team_id, 'Copy ' || n, summary, vcpu, memory_mb, disk_gb, inputs, images, version_id
      from team_templates, generate_series(1, ${MAX_TEAM_TEMPLATES - 2}::int) n where public_id = ${first.id}`.execute(
      db(),
    );
    const codes = await Promise.all(
      [1, 2, 3].map(async () => codeOf(await create({}, who.client, 'full-of-them'))),
    );
    expect(codes.sort()).toEqual(['201', '409 ERR-01-010', '409 ERR-01-010']);
  });
});

describe('an app from a team template', () => {
  it('names it, and gets notice of a newer version', async () => {
    const template = await made({ name: 'Told database' });
    const app_id = await deploy(owner.client, 'told-app', template);
    expect(await templateOf(app_id)).toMatchObject({
      template: { source: 'team', id: template.id, name: 'Told database', version: '1', is_offered: true },
      newer: null,
    });
    await update(template, { compose_file: composeOf('18'), change: 'PostgreSQL 18.' });
    expect(await templateOf(app_id)).toMatchObject({
      newer: {
        version: '2',
        compose_file: composeOf('18'),
        changelog: [{ version: '2', text: 'PostgreSQL 18.' }],
      },
    });
    await announceTemplates({ db: db(), templates: server.services.templates });
    const { body } = await owner.client.call('listNotifications', { query: { limit: 50 } });
    expect(body.data.map(({ title }) => title)).toContain('Told database 2 is available for told-app');
  });

  it('still names it after the template is deleted', async () => {
    const template = await made({ name: 'Deleted database' });
    const app_id = await deploy(owner.client, 'orphaned-app', template);
    await update(template, { compose_file: composeOf('18') });
    await owner.client.call('deleteTeamTemplate', { path: at(template) });
    expect(await templateOf(app_id)).toMatchObject({
      template: { name: 'Deleted database', version: '1', is_offered: false, compose_file: composeOf('17') },
      newer: null,
    });
    const { rows } = await sql<{ version: string }>`
      select version from template_versions where template_id = ${template.id}`.execute(db());
    expect(rows).toEqual([{ version: '1' }]);
  });

  it('can’t name another team’s template', async () => {
    const template = await made();
    const provision = (version: string, team: TestMember, slugOf: string, id = template.id) =>
      team.client.with({ 'x-workspace': slugOf }).call('provisionCvm', {
        body: {
          name: 'stolen-app',
          compose_file: { docker_compose_file: template.compose_file, allowed_envs: ['DB_PASSWORD'] },
          template: { id, version },
        },
      });
    const stolen = await provision('1', stranger, others);
    const unknown = await provision('1', stranger, others, 'tpl_0000000000000000');
    expect([codeOf(stolen), codeOf(unknown)]).toEqual(['400 ERR-02-008', '400 ERR-02-008']);
    expect(codeOf(await provision('9', owner, slug))).toBe('400 ERR-02-008');
  });

  it('leaves only a bounded number of versions behind', async () => {
    const template = await made();
    await sql`
      insert into template_versions (team_id, template_id, version, name, compose_file, compose_file_hash)
      select team_id, template_id, 'x' || n, name, compose_file, compose_file_hash || n
      from template_versions, generate_series(1, 150) n where template_id = ${template.id}`.execute(db());
    const changed = await update(template, { summary: 'Pruned.' });
    expect(changed.body).toMatchObject({ summary: 'Pruned.' });
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from template_versions where template_id = ${template.id}`.execute(db());
    expect(rows[0]?.n).toBe(100);
  });
});
