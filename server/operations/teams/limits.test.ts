import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_HOST } from '../../../console/lib/texts/noHost';
import { registerLocalHost } from '../../db/hosts/hosts';
import { setPlatformRole } from '../../db/accounts/users';
import { identityOf } from '../../testing/cvmFixtures';
import { startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** A new account's limits on a server with open registration. */
let server: TestServer;
let admin: TestClient;
let user: TestClient;
beforeAll(async () => {
  server = await startTestServer({
    teepod: true,
    env: {
      LOCAL_TEEPOD_TEAMS: '',
      TEAMS_PER_USER: '3',
      TEAM_QUOTA_CVMS: '',
      TEAM_QUOTA_VCPU: '',
      TEAM_QUOTA_MEMORY_MB: '',
      TEAM_QUOTA_DISK_GB: '',
    },
  });
  admin = await server.register('admin@example.test');
  user = await server.register('user@example.test');
});
afterAll(() => server.stop());

const create = (who: TestClient, name: string) => who.call('createWorkspace', { body: { name, slug: name } });
const TEAM_LIMIT = { status: 409, body: { code: 'ERR-09-002' } };

describe('teams of a user', () => {
  it('are limited, even when created concurrently', async () => {
    // The team created at registration counts.
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => create(user, `parallel-${i}`)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(6);
    for (const answer of refused) expect(answer).toMatchObject(TEAM_LIMIT);
    expect(JSON.stringify(refused[0]?.body)).toContain('Delete a team you no longer need');
  });

  it('still count after a transfer, but not once deleted', async () => {
    const { data } = (await user.call('listWorkspaces')).body;
    const [mine, other] = data.filter(({ slug }) => slug.startsWith('parallel-'));
    const { db } = server.services;
    const { user_id } = await identityOf(db, 'user@example.test');
    const newOwner = await identityOf(db, 'admin@example.test');
    await db
      .updateTable('memberships')
      .set({ user_id: newOwner.user_id })
      .where('user_id', '=', user_id)
      .where('team_id', '=', (eb) =>
        eb
          .selectFrom('teams')
          .select('id')
          .where('slug', '=', mine?.slug ?? ''),
      )
      .execute();
    expect(await create(user, 'handed-over')).toMatchObject(TEAM_LIMIT);
    const slug = other?.slug ?? '';
    expect((await user.call('deleteWorkspace', { path: { slug }, body: { slug } })).status).toBe(204);
    expect((await create(user, 'in-its-place')).status).toBe(201);
  });

  it('are unlimited for a platform administrator', async () => {
    for (const name of ['adm-1', 'adm-2', 'adm-3', 'adm-4'])
      expect((await create(admin, name)).status).toBe(201);
  });
});

describe('quotas of a new team', () => {
  const quotasOf = (email: string) =>
    server.services.db
      .selectFrom('teams as t')
      .innerJoin('users as u', 'u.id', 't.created_by')
      .select(['t.max_cvms', 't.max_vcpu', 't.max_memory_mb', 't.max_disk_gb'])
      .distinct()
      .where('u.email', '=', email)
      .execute();

  it('are small for teams that users create', async () => {
    expect(await quotasOf('user@example.test')).toEqual([
      { max_cvms: 10, max_vcpu: 16, max_memory_mb: 32_768, max_disk_gb: 400 },
    ]);
  });

  it("are not applied to a platform administrator's teams", async () => {
    const [quota, ...others] = await quotasOf('admin@example.test');
    expect(others).toEqual([]);
    expect(quota?.max_cvms).toBe(1000);
  });
});

describe('the local teepod with open registration', () => {
  const deploy = {
    body: { name: 'an-app', compose_file: { docker_compose_file: 'services:\n  a:\n    image: b\n' } },
  };

  it("accepts the administrator's apps, and other teams' only once allowed", async () => {
    expect((await admin.call('deployPreflight', deploy)).body).toMatchObject({ fits: true });
    const refused = await user.call('deployPreflight', deploy);
    expect(refused.body).toMatchObject({
      fits: false,
      refusal: { limit: 'access', reason: NO_HOST },
    });
    const session = async () => (await user.call('getSession')).body;
    const hasHost = async () => (await session()).teams.find(({ slug }) => slug === user.slug)?.has_host;
    expect((await session()).environment.open_hosts).toBe(false);
    expect(await hasHost()).toBe(false);
    const provision = await user.call('provisionCvm', deploy);
    expect(provision).toMatchObject({ status: 403, body: { code: 'ERR-02-012' } });
    expect(JSON.stringify(provision.body)).toContain(NO_HOST);
    // Reported first: money or a larger quota would not help.
    const { db } = server.services;
    const quotaOf = (max_cvms: number) =>
      db
        .updateTable('teams')
        .set({ max_cvms })
        .where('slug', '=', user.slug ?? '')
        .execute();
    await quotaOf(0);
    expect((await user.call('deployPreflight', deploy)).body).toMatchObject({
      refusal: { limit: 'access', next_smaller: null },
    });
    await quotaOf(10);

    const [teepod] = (await admin.call('listAdminTeepods')).body;
    const allowed = await admin.call('allowTeepodTeam', {
      path: { id: teepod?.id ?? 0 },
      body: { team_slug: user.slug ?? '' },
    });
    expect(allowed.status, JSON.stringify(allowed.body)).toBe(200);
    expect(await hasHost()).toBe(true);
    expect((await user.call('deployPreflight', deploy)).body).toMatchObject({ fits: true });
  });

  it('is open to administrators appointed before or after its first start', async () => {
    const other = await startTestServer({ env: { TEEHOUSE_ROLE: 'web' } });
    try {
      const { db } = other.services;
      await other.register('early@example.test');
      const late = await other.register('late@example.test');
      await registerLocalHost(db, {
        url: 'unix:/tmp/none.sock',
        engine: 'simulated',
        gateway_base_domain: null,
        k256_pubkey: '02',
        ca_pubkey: null,
        max_cvms: 16,
        max_vcpu: 32,
        max_memory_mb: 65_536,
        max_disk_gb: 1000,
        all_teams: false,
        device_id: 'd1'.repeat(32),
        chain_kms: null,
        webhook_token: 'thk_kms_unused',
      });
      const hosts = async (client: TestClient) => (await client.call('deployPreflight', deploy)).body;
      const reach = async () =>
        (
          await db
            .selectFrom('teepod_teams as tt')
            .innerJoin('teams as t', 't.id', 'tt.team_id')
            .select('t.slug')
            .orderBy('t.slug')
            .execute()
        ).map(({ slug }) => slug);
      expect(await reach()).toEqual(['early']);
      expect(await hosts(late)).toMatchObject({ refusal: { limit: 'access' } });
      const { user_id } = await identityOf(db, 'late@example.test');
      await db.transaction().execute((trx) => setPlatformRole(trx, user_id, 'admin'));
      expect(await reach()).toEqual(['early', 'late']);
    } finally {
      await other.stop();
    }
  });
});
