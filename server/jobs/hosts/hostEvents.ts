import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { stripAnsi } from '../../../console/lib/logs/ansi';
import { prepared, withTransaction, type Db, type Tx } from '../../db/core/client';
import { LATE_MS } from '../../db/activity/eventSearch';
import type { EventRow } from '../../db/activity/eventsTable';
import type { VmInfo } from '../../drivers/vmm';
import { ownValue } from '../../../console/lib/ownValue';
import { toJson } from '../../db/core/json';

/**
 * A host remembers a VM's last 20 events, and forgets them when its VMM restarts. Each is recorded here once
 * as a `host.…` event of the CVM: a unique key, and a lock per host, prevent two processes from writing it twice.
 */
export interface SeenVm {
  cvm_id: number;
  vm: Pick<VmInfo, 'events' | 'status' | 'exited_at'>;
}

/** Events a host may report for one CVM per hour; a noisy guest must not push out the rest. */
const MAX_PER_HOUR = 300;
const TOO_MANY = `The host reports more than ${MAX_PER_HOUR} events an hour for this CVM; the rest is dropped.`;
/** Beyond event retention: recording it again would undo the housekeeping. */
const KEPT_MS = 399 * 86_400_000;
const CHUNK = 500;
const MESSAGE = 500;
const BODY = 1_000;

/** A host's last report about a VM. */
interface Report {
  /** Key of the newest event. */
  newest: string | null;
  count: number;
  has_exited: boolean;
}

/**
 * Each CVM's last stored report, per database. It almost never changes between rounds, and only events after
 * its newest one may be new.
 */
const known = new WeakMap<Db, Map<number, Report>>();
const MAX_KNOWN = 50_000;

/** @param teepod_id host of all these VMs @returns how many were new */
export async function keepHostEvents(
  db: Db,
  teepod_id: number,
  seen: readonly SeenVm[],
  now = Date.now(),
): Promise<number> {
  let last = known.get(db);
  if (!last || last.size > MAX_KNOWN) known.set(db, (last = new Map()));
  const changed = seen.flatMap(({ cvm_id, vm }) => {
    const report = reportOf(vm);
    const before = last.get(cvm_id) ?? NOTHING;
    return isSame(report, before) ? [] : [{ cvm_id, vm, report, before }];
  });
  const records = changed.flatMap(({ cvm_id, vm, before }) => recordsOf(cvm_id, vm, before.newest, now));
  let added = 0;
  for (let from = 0; from < records.length; from += CHUNK)
    added += await withTransaction(db, (trx) => insert(trx, teepod_id, records.slice(from, from + CHUNK)));
  for (const { cvm_id, report } of changed) last.set(cvm_id, report);
  return added;
}

type HostEvent = VmInfo['events'][number];

/** The same event has the same key in every report. */
const keyOf = ({ timestamp, event, body }: HostEvent): string =>
  createHash('sha256')
    .update(JSON.stringify([timestamp, event, body]))
    .digest('hex');

function reportOf({ events, status }: SeenVm['vm']): Report {
  const newest = events.at(-1);
  return {
    newest: newest ? keyOf(newest) : null,
    count: events.length,
    has_exited: status === 'exited',
  };
}

const NOTHING: Report = { newest: null, count: 0, has_exited: false };

const isSame = (a: Report, b: Report) =>
  a.newest === b.newest && a.count === b.count && a.has_exited === b.has_exited;

interface HostRecord {
  cvm_id: number;
  key: string;
  kind: string;
  severity: EventRow['severity'];
  message: string;
  data: Record<string, unknown>;
  /** The time it is recorded under. */
  at: string;
  /** By the host's clock, to find the operation it belongs to. */
  happened_at: string;
}

/** @param newest key of the newest stored event; all are taken if the host has forgotten it */
function recordsOf(cvm_id: number, vm: SeenVm['vm'], newest: string | null, now: number): HostRecord[] {
  const exited = exitOf(vm, now);
  const said = [...vm.events, ...(exited ? [exited] : [])].map((one) => ({ ...one, key: keyOf(one) }));
  const fresh = said.slice(said.findIndex(({ key }) => key === newest) + 1);
  const keys = new Set<string>();
  return fresh.flatMap(({ event, body, timestamp, key }) => {
    if (timestamp > 0 && timestamp < now - KEPT_MS) return [];
    if (keys.has(key)) return [];
    keys.add(key);
    // A wrong clock, or an outage of this server: the event is recorded under the time it was received.
    const plausible = timestamp > now - LATE_MS && timestamp <= now;
    const happened = timestamp > 0 && timestamp < 8.64e15 ? timestamp : now;
    const at = new Date(plausible ? timestamp : now).toISOString();
    const happened_at = new Date(happened).toISOString();
    const text = clean(body);
    return [
      {
        cvm_id,
        key,
        kind: kindOf(event),
        severity: severityOf(event),
        message: messageOf(event, text),
        data: {
          event: cutWhole(clean(event), 64),
          body: cutWhole(text, BODY),
          ...(plausible ? {} : { happened_at }),
        },
        at,
        happened_at,
      },
    ];
  });
}

/** Not every host has an event for a VM's exit, but all report the time since it, unless the VM never ran. */
function exitOf({ events, status, exited_at }: SeenVm['vm'], now: number): HostEvent | null {
  const elapsed = status === 'exited' ? elapsedMs(exited_at ?? '') : null;
  if (elapsed === null) return null;
  const at = now - elapsed;
  const told = events.some(({ event, timestamp }) => /exit/.test(event) && Math.abs(timestamp - at) < 10_000);
  return told ? null : { event: 'vmm.exited', body: '', timestamp: at };
}

const UNIT_MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 };

/** Parses `1d 2h 3m 4s`; null for `never` and anything else. */
function elapsedMs(text: string): number | null {
  if (!/^(?:\d{1,6}[dhms] ?)+$/.test(text)) return null;
  return [...text.matchAll(/(\d+)([dhms])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (ownValue(UNIT_MS, unit ?? '') ?? 0),
    0,
  );
}

/** Formats a kind: `boot.progress` becomes `host.boot.progress`. */
function kindOf(event: string): string {
  const parts = event
    .toLowerCase()
    .split('.')
    .map((part) => part.replace(/[^a-z_]+/g, '_'))
    .filter((part) => /[a-z]/.test(part));
  return `host.${parts.join('.') || 'event'}`.slice(0, 64).replace(/\.+$/, '');
}

function severityOf(event: string): EventRow['severity'] {
  if (/error|fail|exhausted|panic/.test(event)) return 'error';
  return /exit|restart|crash|oom/.test(event) ? 'warning' : 'info';
}

const LEADS: Readonly<Record<string, string>> = {
  'boot.progress': 'Boot',
  'boot.error': 'Boot error',
  'shutdown.progress': 'Shutting down',
  'vmm.exited': 'The VM exited',
  'vmm.auto_restart': 'The host is restarting the VM',
  'vmm.auto_restart.exhausted': 'The host stopped restarting the VM',
  'instance.info': 'Instance ID received',
};

/** The seed comes first and has the same format. */
const INSTANCE_ID = /"instance_id"\s*:\s*"([0-9a-f]{40})"/;

function messageOf(event: string, body: string): string {
  const lead = ownValue(LEADS, event) ?? cutWhole(clean(event), 64);
  const rest = event === 'instance.info' ? (INSTANCE_ID.exec(body)?.[1] ?? '') : body;
  return cutWhole(rest === '' ? lead : `${lead}: ${rest}`, MESSAGE);
}

/** Guest-written: reduced to one line of plain text that PostgreSQL accepts and a page can show. */
const clean = (text: string) => stripAnsi(text).replace(/\s+/g, ' ').trim();

async function insert(trx: Tx, teepod_id: number, records: readonly HostRecord[]): Promise<number> {
  // One process at a time per host: a partition's unique index doesn't see rows being added to the next one.
  await sql`${prepared} select pg_advisory_xact_lock(hashtext('host_events'), ${teepod_id}::int)`.execute(
    trx,
  );
  // Its limits are constants: of a parameter the planner expects so many rows that it plans the statement each time.
  const { rows } = await sql<{ added: number }>`${prepared}
    with said as (
      select h.*, decode(h.key, 'hex') as host_key, n
      from jsonb_array_elements(${toJson(records)}::jsonb) with ordinality one(record, n),
        jsonb_to_record(record) h(cvm_id bigint, key text, kind text, severity text, message text, data jsonb,
          at timestamptz, happened_at timestamptz)
    ), fresh as (
      select said.* from said where not exists (
        select 1 from events e where e.cvm_id = said.cvm_id and e.host_key = said.host_key)
        -- Computed from the elapsed time, which the host rounds to seconds: one exit has several keys.
        and not (said.kind = 'host.vmm.exited' and said.data->>'body' = '' and exists (
          select 1 from events e where e.cvm_id = said.cvm_id and e.kind = said.kind
            and e.created_at between said.at - interval '5 seconds' and said.at + interval '5 seconds'))
    ), lately as (
      -- Few CVMs have anything new, and of those only the newest rows are looked at.
      select f.cvm_id, count(e.id) as said from (select distinct cvm_id from fresh) f
      left join lateral (
        select id, host_key, created_at from events where events.cvm_id = f.cvm_id order by id desc limit ${sql.lit(2 * MAX_PER_HOUR)}
      ) e on e.host_key is not null and e.created_at > now() - interval '1 hour'
      group by f.cvm_id
    ), too_much as (
      select cvm_id, sha256(convert_to('too much ' || date_trunc('hour', now()), 'UTF8')) as host_key from lately
      where said >= ${sql.lit(MAX_PER_HOUR)}
    ), kept as (
      select cvm_id, host_key, kind, severity, message, data, at, happened_at, n from fresh
      where cvm_id not in (select cvm_id from too_much)
      union all
      select cvm_id, host_key, 'host.events_dropped', 'warning',
        ${sql.lit(TOO_MANY)}, '{}', now(), now(), 0
      from too_much
    ), added as (
      insert into events (team_id, app_id, cvm_id, operation_id, kind, severity, message, data, host_key, created_at)
      select c.team_id, c.app_id, c.id, o.id, kept.kind, kept.severity, kept.message, kept.data, kept.host_key, kept.at
      from kept join cvms c on c.id = kept.cvm_id
      left join lateral (
        -- What the host does in those moments is done for the operation.
        select id from operations where operations.cvm_id = c.id and operations.created_at <= kept.happened_at
          and coalesce(operations.finished_at + interval '2 seconds', 'infinity') >= kept.happened_at
        order by id desc limit 1
      ) o on true
      order by kept.n
      -- Without a target: a divided table has the unique index per partition (see eventPartitions).
      on conflict do nothing
      returning 1
    )
    select count(*) as added from added`.execute(trx);
  return rows[0]?.added ?? 0;
}
