import { sql } from 'kysely';
import { buildAppCompose } from '../../console/lib/compose/composeHash';
import type { AppRow } from '../db/apps/appsTable';
import type { RevisionRow } from '../db/apps/revisionsTable';
import type { Tx } from '../db/core/client';
import type { CvmRow } from '../db/cvms/cvmsTable';
import type { TeepodRow } from '../db/hosts/teepodsTable';
import type { InstanceTypeRow } from '../db/catalog/instanceTypesTable';
import type { TeamRow } from '../db/teams/teamsTable';
import { appIdFor } from '../domain/apps/appId';
import { ratesOf } from '../domain/billing/pricing';
import { purgeTime } from '../domain/cvms/recycleBin';
import { insertHistory, type Told } from './fillHistory';
import { demoHex, demoId, demoUuid } from './random';
import type { DemoApp, DemoCvm, DemoTeam } from './scenario';
import { BOOT_ERROR, RECYCLED_AGE, timelineOf, type Timeline } from './timeline';

/** A team's apps, revisions and CVMs with their history, as the operations would have left them. */

export interface Ground {
  team: TeamRow;
  /** Users who deploy. */
  deployers: readonly number[];
  teepod: TeepodRow;
  os_image: string;
  types: ReadonlyMap<string, InstanceTypeRow>;
  /** When the demo is filled, and the full hour before. */
  now: Date;
  at: Date;
}

export interface FilledCvm {
  cvm: CvmRow;
  app: AppRow;
  timeline: Timeline;
}

export async function fillApps(trx: Tx, ground: Ground, { apps }: DemoTeam): Promise<void> {
  const filled: FilledCvm[] = [];
  for (const [nonce, given] of apps.entries()) {
    const app = await insertApp(trx, ground, given, nonce);
    const timelines = given.cvms.map((cvm) =>
      timelineOf(given, cvm, { at: ground.at, host: ground.teepod.name }),
    );
    const revisions = await insertRevisions(trx, ground, { app, given, timeline: timelines[0] });
    await insertDomains(trx, ground, app, given);
    for (const [i, cvm] of given.cvms.entries())
      filled.push({
        cvm: await insertCvm(trx, ground, { app, given: cvm, revision: revisions.at(-1)! }),
        app,
        timeline: timelines[i]!,
      });
  }
  // Otherwise the team's next app would get the first one's ID.
  await trx.updateTable('teams').set({ next_nonce: apps.length }).where('id', '=', ground.team.id).execute();
  await writeMeters(trx, ground, filled);
  const told: Told[] = filled.flatMap((one) => one.timeline.events.map((event) => ({ ...one, event })));
  await insertHistory(trx, ground, filled, told);
}

const hoursBefore = (at: Date, hours: number) => new Date(at.getTime() - Math.round(hours * 3600) * 1000);

async function insertApp(
  trx: Tx,
  { team, teepod, deployers, at }: Ground,
  given: DemoApp,
  nonce: number,
): Promise<AppRow> {
  return trx
    .insertInto('apps')
    .values({
      public_id: demoId('prj', `${team.slug}/${given.name}`),
      app_id: appIdFor(team.wallet_address, nonce),
      nonce,
      team_id: team.id,
      kms_id: teepod.kms_id,
      name: given.name,
      created_by: deployers[0] ?? null,
      created_at: hoursBefore(at, given.revisions[0]?.age ?? 0),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function insertRevisions(
  trx: Tx,
  { deployers, at, os_image }: Ground,
  { app, given, timeline }: { app: AppRow; given: DemoApp; timeline: Timeline | undefined },
): Promise<RevisionRow[]> {
  const operations = (timeline?.operations ?? []).filter(
    ({ type, state }) => state === 'succeeded' && (type === 'deploy' || type === 'update'),
  );
  return trx
    .insertInto('revisions')
    .values(
      given.revisions.map((revision, i) => {
        const { bytes, compose_hash } = buildAppCompose({
          name: given.name,
          docker_compose_file: revision.compose,
          public_logs: true,
          public_sysinfo: true,
          public_tcbinfo: true,
          storage_fs: 'zfs',
        });
        const created_at = hoursBefore(at, revision.age);
        return {
          public_id: demoId('rev', `${app.public_id}/${i}`),
          app_id: app.id,
          number: i + 1,
          app_compose: bytes,
          compose_hash,
          docker_compose_file: revision.compose,
          os_image,
          operation_type: i === 0 ? 'deploy' : 'update',
          reason: revision.reason,
          correlation_id: operations[i]?.correlation_id ?? null,
          created_by: deployers[i % deployers.length] ?? null,
          created_at,
          live_at: new Date(created_at.getTime() + 240_000),
        };
      }),
    )
    .returningAll()
    .execute()
    .then((rows) => rows.toSorted((a, b) => a.number - b.number));
}

async function insertDomains(trx: Tx, { team, deployers, at }: Ground, app: AppRow, given: DemoApp) {
  if (given.domains.length === 0) return;
  await trx
    .insertInto('domains')
    .values(
      given.domains.map((domain) => ({
        public_id: demoId('dom', domain),
        team_id: team.id,
        app_id: app.id,
        domain,
        port: 80,
        created_by: deployers[0] ?? null,
        created_at: hoursBefore(at, 48),
      })),
    )
    .execute();
}

async function insertCvm(
  trx: Tx,
  { team, teepod, os_image, types, deployers, at }: Ground,
  { app, given, revision }: { app: AppRow; given: DemoCvm; revision: RevisionRow },
): Promise<CvmRow> {
  const type = types.get(given.type);
  if (!type) throw new Error(`there is no instance type ${given.type}`);
  const size = { vcpu: type.vcpu, memory_mb: type.memory_mb, disk_gb: type.default_disk_size_gb };
  const recycled_at = given.end === 'recycled' ? hoursBefore(at, RECYCLED_AGE) : null;
  const cvm = await trx
    .insertInto('cvms')
    .values({
      public_id: given.public_id,
      vm_uuid: demoUuid(given.public_id),
      team_id: team.id,
      app_id: app.id,
      revision_id: revision.id,
      teepod_id: teepod.id,
      kms_id: teepod.kms_id,
      name: given.name,
      // CVMs that run in the demo are started once the server runs: their VMs don't exist yet.
      status: given.end === 'failed' ? 'error' : 'stopped',
      status_reason: given.end === 'failed' ? BOOT_ERROR : null,
      desired: given.end === 'failed' ? 'running' : given.end === 'recycled' ? 'deleted' : 'stopped',
      boot_error: given.end === 'failed' ? BOOT_ERROR : null,
      instance_id: demoHex(`instance/${given.public_id}`, 40),
      instance_type: type.id,
      ...size,
      ...ratesOf(size, type),
      os_image,
      public_logs: true,
      public_sysinfo: true,
      public_tcbinfo: true,
      listed: given.listed,
      storage_fs: 'zfs',
      created_by: deployers[0] ?? null,
      created_at: hoursBefore(at, given.age),
      deleted_at: recycled_at,
      purge_at: recycled_at && purgeTime(recycled_at),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('reservations')
    .values({ teepod_id: teepod.id, team_id: team.id, cvm_id: cvm.id, ...size })
    .execute();
  return cvm;
}

/** Replaces the insertion's trigger records with each CVM's history, from which its usage is derived. */
async function writeMeters(trx: Tx, { now }: Ground, filled: readonly FilledCvm[]): Promise<void> {
  const ids = filled.map(({ cvm }) => cvm.id);
  await sql`delete from cvm_state_changes where cvm_id = any(${ids}::bigint[])`.execute(trx);
  for (const { cvm, timeline } of filled) {
    const last = timeline.changes.at(-1);
    // CVMs that run in the demo stopped a moment ago and will start again.
    const changes =
      last?.status === 'running' ? [...timeline.changes, { status: cvm.status, at: now }] : timeline.changes;
    await trx
      .insertInto('cvm_state_changes')
      .values(
        changes.map(({ status, at }) => ({
          cvm_id: cvm.id,
          status,
          vcpu: cvm.vcpu,
          memory_mb: cvm.memory_mb,
          disk_gb: cvm.disk_gb,
          hourly_rate_micros: cvm.hourly_rate_micros,
          gpu_rate_micros: cvm.gpu_rate_micros,
          disk_rate_micros: cvm.disk_rate_micros,
          at,
        })),
      )
      .execute();
    await sql`update usage_meters set billed_from = ${cvm.created_at}, closed_until = ${cvm.created_at}
      where cvm_id = ${cvm.id}`.execute(trx);
  }
}
