import { sql } from 'kysely';
import { withTransaction, type Db } from '../../../db/core/client';
import { reserve } from '../../../db/hosts/reservations';
import { isOpenOffer } from '../../../db/hosts/waits/openOffers';
import type { Mail } from '../../../domain/notifications/mail';
import { insertHost, type TestHost } from '../../../testing/cvmFixtures';
import { createTestDatabase } from '../../../testing/database';
import { insertTeam } from '../../../testing/teamFixtures';
import { offerRoom } from '../offerRoom';

/** What members wait for in these tests. */
export const UNIT = { vcpu: 10, memory_mb: 10_240, disk_gb: 10 };
const TEAMS = ['a', 'b', 'c', 'd'] as const;
export type Team = (typeof TEAMS)[number];

export type Waitlist = Awaited<ReturnType<typeof startWaitlist>>;

/** Creates four teams of the same twenty members, and one host. */
export async function startWaitlist() {
  const database = await createTestDatabase();
  const { db } = database;
  const host = await insertHost(db, { name: 'offering', kind: 'dstack_vmm' });
  const teepod_id = host.teepod.id;
  await sql`insert into os_images (name, slug, version, requires_gpu) values ('gpu', 'gpu', '0.6.0', true)`.execute(
    db,
  );
  await sql`insert into teepod_os_images (teepod_id, os_image_id) select ${teepod_id}, id from os_images`.execute(
    db,
  );
  const made = await Promise.all(TEAMS.map((slug) => insertTeam(db, slug)));
  const ids = Object.fromEntries(made.map(({ slug, id }) => [slug, id])) as Record<Team, number>;
  await sql`
    insert into users (public_id, email, username, email_verified_at)
    select 'usr_' || n, 'u' || n || '@example.test', 'u' || n, now() from generate_series(1, 20) n`.execute(
    db,
  );
  await sql`
    insert into memberships (team_id, user_id, role) select t.id, u.id, 'member' from teams t, users u`.execute(
    db,
  );
  await sql`
    insert into provisions (team_id, compose_hash, app_compose, docker_compose_file, name, vcpu, memory_mb, disk_gb, os_image,
      teepod_id, public_logs, public_sysinfo, public_tcbinfo, listed, expires_at)
    select ${ids.b}, '', '', '', 'p-' || n, 1, 1024, 10, '', ${teepod_id}, true, true, true, true, now() + interval '1 day'
    from generate_series(1, 200) n`.execute(db);
  const mails: Mail[] = [];

  /** Gives the host room for this many units. */
  const room = (units: number) =>
    sql`update teepods set max_cvms = 100, max_vcpu = ${units * UNIT.vcpu}, max_memory_mb = ${units * UNIT.memory_mb},
      max_disk_gb = 1000 where id = ${teepod_id}`.execute(db);

  return {
    db,
    host,
    ids,
    /** Mail about the last offers. */
    mails,
    drop: () => database.drop(),
    room,
    async reset() {
      await sql`delete from gpu_waits`.execute(db);
      await sql`delete from gpus`.execute(db);
      await sql`delete from reservations`.execute(db);
      await sql`update teams set room_offered_at = null, max_vcpu = 1000`.execute(db);
      await room(0);
    },
    gpus: (n: number) =>
      sql`insert into gpus (teepod_id, slot, product_id, description, reported)
        select ${teepod_id}, '0000:' || n || '0:00.0', '10de:2335', 'H200', true
        from generate_series(1, ${n}::int) n`.execute(db),
    /** Puts members in line, the earliest first: "a1" is user 1 of team a. */
    async wait(members: readonly string[], wanted: object = UNIT, hours_ago = 10): Promise<void> {
      for (const [i, name] of members.entries())
        await db
          .insertInto('gpu_waits')
          .values({
            team_id: ids[name[0] as Team],
            user_id: Number(name.slice(1)),
            gpus: 0,
            ...wanted,
            created_at: new Date(Date.now() - hours_ago * 3_600_000 + i * 1000),
          })
          .execute();
    },
    /** Runs the job. @returns the members it mailed, in order */
    async offers(billingEnforced = false): Promise<string[]> {
      mails.length = 0;
      const outbox = { enqueue: async (_trx: unknown, mail: Mail) => void mails.push(mail) };
      await offerRoom({ db, outbox, billingEnforced });
      return mails.map(({ team_id, user_id }) => `${TEAMS.find((name) => ids[name] === team_id)}${user_id}`);
    },
    /** Ends the reservations of deployments that weren't committed. */
    abandon: () =>
      sql`update reservations set expires_at = now() - interval '1 second' where expires_at is not null`.execute(
        db,
      ),
    holdsEnd: () =>
      sql`update gpu_waits set held_until = now() - interval '1 second' where held_until is not null`.execute(
        db,
      ),
    /** Sets when the team was last offered room. */
    offered: (team: Team, interval: string) =>
      sql`update teams set room_offered_at = now() - ${interval}::interval where id = ${ids[team]}`.execute(
        db,
      ),
    /** Counts the offers that are open. */
    async open(): Promise<number> {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from gpu_waits where ${isOpenOffer()}`.execute(db);
      return rows[0]?.n ?? 0;
    },
    deploy: deployer(db, host, ids),
  };
}

/** Reserves units as a deployment does. */
function deployer(db: Db, host: TestHost, ids: Record<Team, number>) {
  let provision = 0;
  return (
    team: Team,
    { on = host, gpus = 0, moving = false, units = 1, before_commit = () => Promise.resolve() } = {},
  ): Promise<boolean> =>
    withTransaction(db, async (trx) => {
      const { id } = await trx
        .selectFrom('provisions')
        .select('id')
        .where('name', '=', `p-${++provision}`)
        .executeTakeFirstOrThrow();
      const reserved = await reserve(trx, {
        teepod_id: on.teepod.id,
        team_id: ids[team],
        size: { vcpu: UNIT.vcpu * units, memory_mb: UNIT.memory_mb * units, disk_gb: UNIT.disk_gb },
        gpus,
        moving,
        provision_id: id,
      });
      await before_commit();
      return reserved;
    });
}
