import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TeamTemplate } from '../../../../generated/api/types.gen';
import { announceTemplates } from '../../../jobs/apps/announceTemplates';
import { insertApp, insertCvm, insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { fill } from '../../../testing/fill';
import { eventually, startTestServer, type TestServer } from '../../../testing/server';
import { codeOf, registerUser, type TestMember } from '../../teams/testing/members';

/** Races over a template's versions while apps use them. */
let server: TestServer;
let host: TestHost;
const db = () => server.services.db;

beforeAll(async () => {
  server = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
  host = await insertHost(db());
});
afterAll(() => server.stop());

const composeOf = (tag: string) => `services:\n  db:\n    image: postgres:${tag}\n`;
const resources = { vcpu: 1, memory_mb: 2048, disk_gb: 20 };

/** A team with a template, and an app from its version 1. */
async function team(slug: string) {
  const owner = await registerUser(server);
  await owner.client.call('createWorkspace', { body: { name: slug, slug } });
  const { id: team_id } = await db()
    .selectFrom('teams')
    .select('id')
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow();
  const made = await owner.client.call('createTeamTemplate', {
    path: { slug },
    body: { name: `Database of ${slug}`, summary: 'Orders.', compose_file: composeOf('17'), resources },
  });
  expect(codeOf(made), JSON.stringify(made.body)).toBe('201');
  const template = made.body as TeamTemplate;
  const app = await insertApp(db(), { team_id, host, name: `${slug}-app`, compose: composeOf('17') });
  const cvm = await insertCvm(db(), { ...app, host });
  const { id: version_id } = await db()
    .selectFrom('template_versions')
    .select('id')
    .where('template_id', '=', template.id)
    .executeTakeFirstOrThrow();
  const path = { slug, template_id: template.id };
  return { owner, slug, template, app: app.app, revision: app.revision, cvm, version_id, path };
}

const cameFromIt = ({ revision, version_id }: Awaited<ReturnType<typeof team>>) =>
  sql`update revisions set template_version_id = ${version_id} where id = ${revision.id}`.execute(db());

async function transaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await server.database.pool.connect();
  try {
    await client.query('begin');
    await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

const isWaiting = async () => {
  const { rows } = await server.database.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
};

it('refuses an update from a version that another member is deleting', async () => {
  const { owner, slug, template, cvm } = await team('deletes-first');
  await transaction(async (client) => {
    await client.query('delete from team_templates where public_id = $1', [template.id]);
    await client.query('delete from template_versions where template_id = $1', [template.id]);
    const updating = owner.client.with({ 'x-workspace': slug }).call('patchCvm', {
      path: { cvm_id: cvm.vm_uuid },
      body: { docker_compose_file: composeOf('18'), template: { id: template.id, version: '1' } },
    });
    const [answer] = await Promise.all([
      updating,
      eventually('the update waits', isWaiting).then(() => client.query('commit')),
    ]);
    expect(codeOf(answer), JSON.stringify(answer.body)).toBe('400 ERR-02-008');
    expect(answer.body).toMatchObject({ detail: { details: [{ field: 'template.version' }] } });
  });
});

it('deletes a template while an update uses it, keeping the version', async () => {
  const { owner, template, app, version_id, path } = await team('updates-first');
  await transaction(async (client) => {
    await client.query(
      `insert into revisions (public_id, app_id, number, app_compose, compose_hash, docker_compose_file, operation_type,
         template_version_id) values ('rev_updates_first', $1, 2, '{}', 'aa', 'services: {}', 'update', $2)`,
      [app.id, version_id],
    );
    let isAnswered = false;
    const deleting = owner.client
      .call('deleteTeamTemplate', { path })
      .finally(() => void (isAnswered = true));
    const [answer] = await Promise.all([
      deleting,
      eventually('it is deleted', async () => isAnswered || (await isWaiting())).then(() =>
        client.query('commit'),
      ),
    ]);
    expect(codeOf(answer), JSON.stringify(answer.body)).toBe('204');
  });
  const { rows } =
    await sql`select version from template_versions where template_id = ${template.id}`.execute(db());
  expect(rows).toEqual([{ version: '1' }]);
});

it('keeps a team’s notices, however many versions another team has', async () => {
  const few = await team('few-versions');
  await cameFromIt(few);
  const many = await team('many-versions');
  const update = async ({ owner, path }: { owner: TestMember; path: typeof few.path }, tag: string) =>
    expect(
      codeOf(await owner.client.call('updateTeamTemplate', { path, body: { compose_file: composeOf(tag) } })),
    ).toBe('200');
  const announce = () => announceTemplates({ db: db(), templates: server.services.templates });
  const notices = async () => {
    const { body } = await few.owner.client.call('listNotifications', { query: { limit: 50 } });
    return body.data.map(({ title, resolved_at }) => [title, resolved_at === null]);
  };
  await update(few, '18');
  await announce();
  const title = (version: string) => `Database of few-versions ${version} is available for few-versions-app`;
  expect(await notices()).toContainEqual([title('2'), true]);

  await fill(db(), (trx) =>
    sql`
    with made as (
      insert into template_versions (team_id, template_id, version, name, compose_file, compose_file_hash)
      select team_id, template_id, 'x' || n, name, compose_file, lpad(to_hex(n), 64, 'f')
      from template_versions, generate_series(1, 10050) n where template_id = ${many.template.id} returning id)
    insert into revisions (public_id, app_id, number, app_compose, compose_hash, docker_compose_file, operation_type,
      template_version_id)
    select 'rev_many' || id, ${many.app.id}, 1000 + row_number() over (), '{}', 'aa', 'services: {}', 'update', id
    from made`.execute(trx),
  );
  await update(many, '18');
  await announce();
  expect(await notices()).toContainEqual([title('2'), true]);
  await update(few, '19');
  await announce();
  expect(await notices()).toContainEqual([title('3'), true]);
});
