import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminFleet } from '../../../generated/api/types.gen';
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
