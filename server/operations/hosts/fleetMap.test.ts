import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminFleet } from '../../../generated/api/types.gen';
import { withTransaction } from '../../db/core/client';
import { teepodCapacities } from '../../db/hosts/reservations';
import { startFleet, type Fleet } from './testing/fleet';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ RECONCILE_SECONDS: '3600' });
});
afterAll(() => fleet?.close());

const db = () => fleet.server.services.db;
const pod = (which: number) => fleet.hosts[which]!.host.teepod;

describe('the fleet map', () => {
  it('searches nodes, counts per region and reports what needs attention', async () => {
    await sql`update teepods set host_vcpu = 10, max_vcpu = 100 where id = ${pod(0).id}`.execute(db());
    const all = (await fleet.admin.call('getAdminFleet')).body as AdminFleet;
    expect(all.regions).toMatchObject([{ region: 'eu-west', nodes: 2, teepods: 2 }]);
    const found = (await fleet.admin.call('getAdminFleet', { query: { q: pod(0).name, attention: true } }))
      .body as AdminFleet;
    expect(found.nodes).toHaveLength(1);
    expect(found.nodes[0]?.teepods[0]).toMatchObject({ oversubscribed: true });
    expect(JSON.stringify(found.nodes[0]?.teepods[0]?.concerns)).toContain('overcommitted');
    const none = (await fleet.admin.call('getAdminFleet', { query: { region: 'mars' } })).body as AdminFleet;
    expect(none).toMatchObject({ nodes: [], total: 0 });
    expect((await fleet.member.call('getAdminFleet')).status).toBe(403);
  });

  it('shows GPUs in the same state as their list', async () => {
    const teepod_id = pod(1).id;
    const { team_id } = fleet.who;
    const size = { vcpu: 1, memory_mb: 1024, disk_gb: 10 };
    const gpu = (slot: string, change: object) => ({ teepod_id, slot, reported: true, ...change });
    const provision = (app_id: string, left_ms: number) =>
      withTransaction(db(), async (trx) => {
        const expires_at = new Date(Date.now() + left_ms);
        const { id } = await trx
          .insertInto('provisions')
          .values({
            ...size,
            team_id,
            app_id,
            compose_hash: 'b'.repeat(64),
            app_compose: '{}',
            docker_compose_file: '',
            name: `gpu-${app_id.slice(0, 1)}`,
            instance_type: null,
            os_image: 'dstack-0.6.0',
            env_pubkey: '',
            teepod_id,
            public_logs: false,
            public_sysinfo: false,
            public_tcbinfo: false,
            listed: false,
            expires_at,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        return trx
          .insertInto('reservations')
          .values({ ...size, teepod_id, team_id, provision_id: id, expires_at })
          .returning('id')
          .executeTakeFirstOrThrow();
      });
    const [open, expired] = [
      await provision('c'.repeat(40), 60_000),
      await provision('d'.repeat(40), -60_000),
    ];
    await db()
      .insertInto('gpus')
      .values([
        gpu('1a:00.0', {}),
        gpu('1b:00.0', { reservation_id: open.id }),
        gpu('1c:00.0', { reservation_id: expired.id }),
        gpu('1d:00.0', { fault: 'xid 79' }),
      ])
      .execute();
    const listed = await fleet.admin.call('listAdminGpus', {
      query: { filter: JSON.stringify({ teepod_id }), sort: JSON.stringify(['slot', 'ASC']) },
    });
    const states = listed.body.map(({ state }) => state);
    expect(states).toEqual(['free', 'reserved', 'free', 'faulty']);
    const map = (await fleet.admin.call('getAdminFleet', { query: { q: pod(1).name } })).body as AdminFleet;
    expect(map.nodes[0]?.teepods[0]?.gpus.map(({ state }) => state)).toEqual(states);
  });

  it("uses a host's own CVM limit if it is lower than the configured one", async () => {
    await sql`update teepods set host_cvms = 2, max_cvms = 60 where id = ${pod(0).id}`.execute(db());
    const slots = async () =>
      (await teepodCapacities(db(), { team_id: fleet.who.team_id })).find(
        ({ teepod_id }) => teepod_id === pod(0).id,
      )?.slots;
    expect(await slots()).toBeLessThanOrEqual(2);
    const map = (await fleet.admin.call('getAdminFleet', { query: { q: pod(0).name } })).body as AdminFleet;
    const teepod = map.nodes[0]?.teepods[0];
    expect(teepod?.sums.max_cvms).toBe(2);
    expect(teepod?.concerns.map(({ text }) => text)).toContain(
      'Max CVMs is 60, but the host runs at most 2. The host’s limit applies.',
    );
    const node = await fleet.admin.call('getAdminNode', { path: { id: pod(0).node_id } });
    expect(node.body).toMatchObject({ teepod_count: 1, max_cvms: 2 });
    await sql`update teepods set host_cvms = 100 where id = ${pod(0).id}`.execute(db());
    expect(await slots()).toBeGreaterThan(2);
  });
});
