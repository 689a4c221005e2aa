import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { AdminAlertKind } from '../../../generated/api/types.gen';
import { networkName } from '../../../console/lib/kms/chains';
import { utcDay, utcMinute } from '../../domain/core/dates';
import { CANCELED } from '../../domain/platform/queueTexts';
import type { Db } from '../core/client';
import { lateDestinations } from '../audit/auditExport';
import { isConfirmed } from '../catalog/confirmedImages';
import { usdcTroubles } from '../billing/usdc/troubles';
import { lateQueues } from './queueFigures';

/** Current problems, according to the database. An alert is open as long as its problem is found here. */
export interface Trouble {
  kind: AdminAlertKind;
  /** Alerts are unique per kind and subject while open. */
  subject: string;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
}

const BACKUP_DAYS = 7;

/** Alerts per kind. A failing region would otherwise open thousands, each with a message to every chat. */
const MAX_TROUBLES = 200;

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

/**
 * Returns an alert for each of the first problems of a kind, and one that counts the others.
 *
 * @param rows at most `MAX_TROUBLES` problems, each with the overall count in `total`
 * @param title the same for a number of further subjects: "12 more hosts aren't responding"
 */
function withRest<Row extends { total: number }>(
  rows: Row[],
  toTrouble: (row: Row) => Trouble,
  title: (more: number) => string,
): Trouble[] {
  const troubles = rows.map(toTrouble);
  const [first] = troubles;
  const more = (rows[0]?.total ?? 0) - rows.length;
  if (first === undefined || more <= 0) return troubles;
  const severity = troubles.some((trouble) => trouble.severity === 'critical') ? 'critical' : 'warning';
  const message = `The first ${rows.length} have an alert each.`;
  return [...troubles, { kind: first.kind, subject: 'more', severity, title: title(more), message }];
}

export async function troublesOf(db: Db): Promise<Trouble[]> {
  const found = await Promise.all([
    hosts(db),
    drains(db),
    disks(db),
    operations(db),
    queues(db),
    mail(db),
    keys(db),
    schedules(db),
    backups(db),
    books(db),
    strays(db),
    lost(db),
    notStopping(db),
    chains(db),
    usdcTroubles(db),
    auditExport(db),
    images(db),
  ]);
  return found.flat();
}

/** No worker asks a host that an administrator took offline, so its last report never changes. */
const IN_SERVICE = sql<boolean>`p.state <> 'offline'`;

/** The same rule as for the teams affected: two minutes of silence (db/notifications/notificationTroubles.ts). */
async function hosts(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{
    id: number;
    name: string;
    cvms: number;
    last_error: string | null;
    total: number;
  }>`
    select p.id, p.name, p.last_error, count(*) over ()::int as total, (
      select count(*)::int from cvms c where c.teepod_id = p.id and c.deleted_at is null and c.desired = 'running') as cvms
    from host_troubles h join teepods p on p.id = h.teepod_id
    where h.told_at is not null and ${IN_SERVICE} order by p.id limit ${MAX_TROUBLES}`.execute(db);
  return withRest(
    rows,
    ({ id, name, cvms, last_error }) => ({
      kind: 'host_unreachable',
      subject: `teepod:${id}`,
      severity: 'critical',
      title: `The host ${name} isn’t responding`,
      message: `${cvms === 0 ? 'No CVMs are affected.' : `${count(cvms, 'CVM')} should run on it.`}${last_error === null ? '' : ` ${last_error}`}`,
    }),
    (more) => (more === 1 ? '1 more host isn’t responding' : `${more} more hosts aren’t responding`),
  );
}

async function strays(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; name: string; held: number; total: number }>`
    select id, name, held_strays as held, count(*) over ()::int as total from teepods p
    where held_strays > 0 and ${IN_SERVICE} order by id limit ${MAX_TROUBLES}`.execute(db);
  return withRest(
    rows,
    ({ id, name, held }) => ({
      kind: 'strays_held',
      subject: `teepod:${id}`,
      severity: 'critical',
      title: `Removals on the host ${name} are paused`,
      message: `${held} of its VMs ${held === 1 ? 'looks like a leftover' : 'look like leftovers'}, more than a tenth. Nothing is removed. Check the teepod’s address and its drift list.`,
    }),
    (more) => `Removals on ${count(more, 'more host')} are paused`,
  );
}

async function lost(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; name: string; cvms: number; first: string; total: number }>`
    select p.id, p.name, count(*)::int as cvms, count(*) over ()::int as total, (array_agg(c.name order by c.missing_since, c.id))[1] as first
    from cvms c join teepods p on p.id = c.teepod_id where c.status = 'lost' and c.missing_since is not null
    group by p.id order by p.id limit ${MAX_TROUBLES}`.execute(db);
  return withRest(
    rows,
    ({ id, name, cvms, first }) => ({
      kind: 'cvms_lost',
      subject: `teepod:${id}`,
      severity: 'critical',
      title: `The host ${name} lost ${count(cvms, 'CVM')}`,
      message: `It responds but doesn’t list ${cvms === 1 ? `the VM of ${first}` : `their VMs, starting with ${first}’s`}. Check that its VM, image and disk folders are mounted and readable. The CVMs recover when it lists their VMs again.`,
    }),
    (more) => `${count(more, 'more host')} lost CVMs`,
  );
}

/** Given-up VMs that a host keeps running despite stop requests, which would free their ports and GPUs. */
async function notStopping(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; name: string; vms: number; first: string; total: number }>`
    select p.id, p.name, count(*)::int as vms, count(*) over ()::int as total, (array_agg(d.host_vm_id order by d.first_seen_at, d.id))[1] as first
    from duplicate_vms d join teepods p on p.id = d.teepod_id
    join given_up_vms g on g.teepod_id = d.teepod_id and g.host_vm_id = d.host_vm_id and g.cvm_id = d.cvm_id
    where g.released_at is null and g.taken_back_at is null and d.status in ('running', 'stopping') and p.reachable
      and ${IN_SERVICE} and d.first_seen_at < now() - interval '10 minutes'
    group by p.id order by p.id limit ${MAX_TROUBLES}`.execute(db);
  return withRest(
    rows,
    ({ id, name, vms, first }) => ({
      kind: 'vms_not_stopping',
      subject: `teepod:${id}`,
      severity: 'warning',
      title: `The host ${name} keeps running ${count(vms, 'VM')} that CVMs gave up`,
      message: `${vms === 1 ? `${first} keeps` : `They keep`} ports or GPUs of the host, which new VMs may need. Stop ${vms === 1 ? 'it' : 'them'} on the host, or remove duplicates in the admin area.`,
    }),
    (more) => `${count(more, 'more host')} ${more === 1 ? 'keeps' : 'keep'} running VMs that CVMs gave up`,
  );
}

async function chains(db: Db): Promise<Trouble[]> {
  const rows = await db
    .selectFrom('chain_checks')
    .select(['chain_id', 'usable', 'problem'])
    .where('problem', 'is not', null)
    .orderBy('chain_id')
    .execute();
  return rows.map(({ chain_id, usable, problem }) => {
    const name = networkName(chain_id);
    return {
      kind: 'chain_rpc',
      subject: `chain:${chain_id}`,
      severity: usable ? 'warning' : 'critical',
      title: usable ? `An RPC for ${name} can’t be used` : `${name} can’t be read`,
      message: cutWhole(problem ?? '', 1000),
    };
  });
}

async function drains(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; name: string; message: string | null; total: number }>`
    select d.id, p.name, d.message, count(*) over ()::int as total from drains d join teepods p on p.id = d.teepod_id
    where d.state = 'blocked' order by d.id limit ${MAX_TROUBLES}`.execute(db);
  return withRest(
    rows,
    ({ id, name, message }) => ({
      kind: 'drain_blocked',
      subject: `drain:${id}`,
      severity: 'warning',
      title: `Draining ${name} is blocked`,
      message: message ?? 'Needs attention.',
    }),
    (more) => `${count(more, 'more drain')} ${more === 1 ? 'is' : 'are'} blocked`,
  );
}

async function disks(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; name: string; used: number; max: number; total: number }>`
    select p.id, p.name, p.max_disk_gb as max, r.used, count(*) over ()::int as total from teepods p
    join (select teepod_id, sum(disk_gb)::int as used from reservations group by teepod_id) r on r.teepod_id = p.id
    where p.max_disk_gb > 0 and r.used >= 0.9 * p.max_disk_gb and ${IN_SERVICE} order by p.id limit ${MAX_TROUBLES}`.execute(
    db,
  );
  return withRest(
    rows,
    ({ id, name, used, max }) => ({
      kind: 'host_disk_low',
      subject: `teepod:${id}`,
      severity: used >= 0.98 * max ? 'critical' : 'warning',
      title: `The host ${name} is running out of disk`,
      message: `${used} of ${max} GB allocated.`,
    }),
    (more) => `${count(more, 'more host')} ${more === 1 ? 'is' : 'are'} running out of disk`,
  );
}

async function operations(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ failed: number; ended: number }>`
    select count(*) filter (where state = 'failed')::int as failed, count(*)::int as ended
    from operations where finished_at > now() - interval '15 minutes'`.execute(db);
  const { failed = 0, ended = 0 } = rows[0] ?? {};
  if (failed < 3 || failed * 4 < ended) return [];
  return [
    {
      kind: 'operations_failing',
      subject: 'operations',
      severity: failed * 2 >= ended ? 'critical' : 'warning',
      title: 'Many operations are failing',
      message: `${failed} of ${ended} that ended in the last 15 minutes.`,
    },
  ];
}

async function queues(db: Db): Promise<Trouble[]> {
  return (await lateQueues(db)).map(({ id, name, waiting, minutes }) => ({
    kind: 'queue_stuck',
    subject: `queue:${id}`,
    severity: minutes >= 30 ? 'critical' : 'warning',
    title: `The queue ${name} is stuck`,
    message: `${count(waiting, 'job')} waiting; the oldest is overdue.`,
  }));
}

async function mail(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ failing: number; last_error: string | null }>`
    select count(*)::int as failing, max(last_error) as last_error from outbox
    where state in ('queued', 'sending', 'failed') and created_at > now() - interval '1 hour'
      and (state = 'failed' or attempts >= 3) and last_error is distinct from ${CANCELED}`.execute(db);
  const { failing = 0, last_error = null } = rows[0] ?? {};
  if (failing === 0) return [];
  return [
    {
      kind: 'mail_failing',
      subject: 'mail',
      severity: failing >= 10 ? 'critical' : 'warning',
      title: 'Mail isn’t being delivered',
      message: `Affects ${count(failing, 'message')} from the last hour. ${last_error ?? ''}`.trim(),
    },
  ];
}

async function keys(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; slug: string; last_error: string | null; total: number }>`
    select id, slug, last_error, count(*) over ()::int as total from kms
    where health = 'alarm' and state <> 'retired' order by id limit ${MAX_TROUBLES}`.execute(db);
  return withRest(
    rows,
    ({ id, slug, last_error }) => ({
      kind: 'kms_key_changed',
      subject: `kms:${id}`,
      severity: 'critical',
      title: `The KMS ${slug} has a different key than expected`,
      message: last_error ?? 'Deployments with secrets are refused until an administrator has reviewed it.',
    }),
    (more) =>
      more === 1
        ? '1 more KMS has a different key than expected'
        : `${more} more KMSs have different keys than expected`,
  );
}

/** Only hosts reported these hashes of OS images, so nothing relies on them. */
async function images(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: number; name: string; cvms: number; keyless: number; total: number }>`
    select i.id, i.name, u.cvms, u.keyless, count(*) over ()::int as total from os_images i
    join lateral (
      select count(*)::int as cvms, count(*) filter (where k.id is not null)::int as keyless
      from cvms c join teepods p on p.id = c.teepod_id join apps a on a.id = c.app_id
      left join kms k on k.id = coalesce(c.kms_id, a.kms_id, p.kms_id) and k.chain_id is null
        and exists (select from kms_tokens t where t.kms_id = k.id)
      where c.os_image = i.name and c.deleted_at is null
    ) u on u.cvms > 0
    where i.os_image_hash is not null and not ${isConfirmed('i')} order by i.id limit ${MAX_TROUBLES}`.execute(
    db,
  );
  return withRest(
    rows,
    ({ id, name, cvms, keyless }) => ({
      kind: 'image_unconfirmed',
      subject: `os_image:${id}`,
      severity: keyless > 0 ? 'critical' : 'warning',
      title: `The hash of the OS image ${name} isn’t confirmed`,
      message: `Only hosts reported it, so it doesn’t verify ${count(cvms, 'CVM')}.${keyless === 0 ? '' : ` ${keyless} of them will get no keys when they start next.`} Compare it with your build and enter it on the image’s page.`,
    }),
    (more) => `${count(more, 'more OS image')} ${more === 1 ? 'has' : 'have'} an unconfirmed hash`,
  );
}

/** A task that runs rarely counts as failing until its next run could have succeeded. */
async function schedules(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ id: string; name: string; last_error: string }>`
    select id, name, last_error from schedule_runs
    where last_error is not null
      and last_failed_at > now() - greatest(interval '5 minutes', 2 * every_seconds * interval '1 second')
    order by id limit 50`.execute(db);
  return rows.map(({ id, name, last_error }) => ({
    kind: 'schedule_failing',
    subject: `schedule:${id}`,
    severity: 'warning',
    title: `The periodic task “${name}” is failing`,
    message: last_error,
  }));
}

async function backups(db: Db): Promise<Trouble[]> {
  const { rows } = await sql<{ last: Date | null; due: boolean }>`
    select last, coalesce(last, (select min(created_at) from teams)) < now() - make_interval(days => ${BACKUP_DAYS}) as due
    from (select max(at) as last from audit_log where action = 'database.backup') b`.execute(db);
  const { last = null, due = false } = rows[0] ?? {};
  if (due !== true) return [];
  return [
    {
      kind: 'backup_old',
      subject: 'backup',
      severity: 'warning',
      title: `No backup for ${BACKUP_DAYS} days`,
      message:
        last === null
          ? 'No backup has been created with teehouse backup.'
          : `The last backup is from ${utcDay(last)}.`,
    },
  ];
}

async function books(db: Db): Promise<Trouble[]> {
  const last = await db
    .selectFrom('ledger_checks')
    .select('discrepancies')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const [first] = last?.discrepancies ?? [];
  if (!last || !first) return [];
  return [
    {
      kind: 'books_unbalanced',
      subject: 'ledger',
      severity: 'critical',
      title: 'The ledger doesn’t balance',
      message: `${count(last.discrepancies.length, 'sum')} differed in the nightly check, the first in the ${first.what} of team ${first.team_id}. Run teehouse verify.`,
    },
  ];
}

async function auditExport(db: Db): Promise<Trouble[]> {
  return (await lateDestinations(db)).map(({ id, name, since, last_error, is_old }) => ({
    kind: 'audit_export_late',
    subject: `audit_destination:${id}`,
    severity: is_old ? 'critical' : 'warning',
    title: `The audit log isn’t delivered to ${name}`,
    message: `Entries have been waiting since ${utcMinute(since)}. None is lost.${last_error === null ? '' : ` ${last_error}`}`,
  }));
}
