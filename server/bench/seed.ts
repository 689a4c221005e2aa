import { sql } from 'kysely';
import type { Db } from '../db/core/client';
import { identityOf, insertApp, insertCvm, insertHost, insertToken } from '../testing/cvmFixtures';

export interface Seeded {
  token: string;
  slug: string;
  session: string;
  /** Some of the team's CVMs, spread over all. */
  vm_uuids: string[];
}

export const EMAIL = 'bench@example.test';
export const PASSWORD = 'violet kettle under the stairs';

/** Registers the first account of an empty server over the wire; returns its session cookie and team slug. */
export async function register(url: string): Promise<{ session: string; slug: string }> {
  const registered = await fetch(`${url}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  if (registered.status !== 201) throw new Error(`registering returned ${registered.status}`);
  const session = (registered.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const reply = await fetch(`${url}/api/v1/session`, { headers: { cookie: session } });
  const { teams } = (await reply.json()) as { teams: { slug: string }[] };
  return { session, slug: teams[0]?.slug ?? '' };
}

/** Seeds an account with `cvms` running CVMs, two per app, each with its own compose file and a finished operation. */
export async function seed(url: string, db: Db, cvms: number): Promise<Seeded> {
  const account = await register(url);
  const who = await identityOf(db, EMAIL);
  const host = await insertHost(db, { name: 'bench' });
  // Nothing listens there; jobs ignore an offline host.
  await sql`update teepods set state = 'offline' where id = ${host.teepod.id}`.execute(db);
  const { app, revision } = await insertApp(db, { ...who, host, name: 'template' });
  const cvm = await insertCvm(db, { app, revision, host, user_id: who.user_id });
  const more = Math.max(0, Math.ceil(cvms / 2) - 1);
  await sql`
    insert into apps (public_id, app_id, team_id, kms_id, name, created_by, created_at)
    select 'prj_' || left(md5('app' || i), 16), left(encode(sha256(('app' || i)::bytea), 'hex'), 40), team_id, kms_id,
      'app-' || i, created_by, now() - i * interval '1 minute'
    from apps, generate_series(1, ${more}::int) i where apps.id = ${app.id}`.execute(db);
  // The compose file names its app, so that every hash differs, as in production.
  await sql`
    insert into revisions (public_id, app_id, number, app_compose, compose_hash, docker_compose_file, allowed_envs,
      os_image, operation_type, created_by)
    select 'rev_' || left(md5('rev' || apps.id), 16), apps.id, 1, bytes, encode(sha256(convert_to(bytes, 'UTF8')), 'hex'),
      docker_compose_file, allowed_envs, os_image, operation_type, r.created_by
    from revisions r, apps, lateral (select replace(r.app_compose, '"template"', to_json(apps.name)::text) as bytes) b
    where r.id = ${revision.id} and apps.id <> ${app.id}`.execute(db);
  await sql`
    insert into cvms (public_id, vm_uuid, team_id, app_id, revision_id, teepod_id, kms_id, name, status, host_vm_id,
      instance_id, instance_type, vcpu, memory_mb, disk_gb, hourly_rate_micros, os_image, env_pubkey, public_logs,
      public_sysinfo, public_tcbinfo, storage_fs, boot_progress, started_at, created_by, created_at)
    select 'cvm_' || left(md5('cvm' || apps.id || '/' || n), 16), gen_random_uuid(), c.team_id, apps.id, r.id,
      c.teepod_id, c.kms_id, apps.name || '-' || n, 'running', gen_random_uuid()::text,
      left(encode(sha256(('instance' || apps.id || '/' || n)::bytea), 'hex'), 40), c.instance_type, c.vcpu, c.memory_mb,
      c.disk_gb, c.hourly_rate_micros, c.os_image, c.env_pubkey, c.public_logs, c.public_sysinfo, c.public_tcbinfo,
      c.storage_fs, c.boot_progress, c.started_at, c.created_by, apps.created_at
    from cvms c, apps join revisions r on r.app_id = apps.id, generate_series(1, 2) n
    where c.id = ${cvm.id} and apps.id <> ${app.id}`.execute(db);
  await sql`
    insert into operations (correlation_id, team_id, cvm_id, type, state, target, steps, requested_by, created_at,
      started_at, finished_at, deadline_at)
    select gen_random_uuid(), team_id, id, 'deploy', 'succeeded', 'running',
      '[{"name":"create","state":"done","started_at":"2026-11-21T08:00:00Z"},{"name":"boot","state":"done","started_at":"2026-11-21T08:00:10Z"}]', created_by, created_at, created_at,
      created_at + interval '40 seconds', created_at + interval '15 minutes'
    from cvms`.execute(db);
  await sql`analyze`.execute(db);
  const some = await sql<{ vm_uuid: string }>`
    select vm_uuid from cvms where team_id = ${who.team_id} order by md5(public_id) limit 200`.execute(db);
  return { ...account, token: await insertToken(db, who), vm_uuids: some.rows.map((row) => row.vm_uuid) };
}
