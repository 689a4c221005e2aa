import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { sql, type RawBuilder } from 'kysely';
import type { DomainDiagnosis } from '../../domain/network/dnsDiagnosis';
import {
  firstProblem,
  nextStanding,
  storedDiagnosis,
  type DomainStep,
  type StoredDiagnosis,
} from '../../domain/network/domainState';
import { publicId } from '../../domain/core/publicId';
import type { Db, Tx } from '../core/client';
import { addEvent } from '../activity/operations';
import { leasesOf, NO_LEASE } from '../core/leases';
import type { DomainRow } from './domainsTable';
import { toJson } from '../core/json';

/** Custom domains: reading, adding, and applying check results. */

/** `seconds`: longer than any check takes. */
export const domainLeases = leasesOf({
  table: 'domains',
  open: sql`next_check_at <= now()`,
  held: sql`lease_until > now()`,
  seconds: 60,
});
const LISTED = 20;

/** Whether domain `d` has a CVM to route to. Without one, it waits for a restoration from the recycle bin. */
const HAS_CVM = sql<boolean>`exists (select from cvms c
  where c.app_id = d.app_id and c.deleted_at is null and (d.cvm_id is null or c.id = d.cvm_id))`;

export interface ListedDomain {
  domain: DomainRow;
  vm_uuid: string | null;
  creator: { public_id: string; username: string; avatar: string } | null;
}

/** Returns domains of the whole app and of this CVM, by name. */
export async function domainsOfCvm(
  db: Db | Tx,
  { team_id, app_id, cvm_id }: { team_id: number; app_id: number; cvm_id: number },
  public_id?: string,
): Promise<ListedDomain[]> {
  let query = db
    .selectFrom('domains as d')
    .leftJoin('cvms as c', 'c.id', 'd.cvm_id')
    .leftJoin('users as u', 'u.id', 'd.created_by')
    .selectAll('d')
    .select(['c.vm_uuid', 'u.public_id as user_public_id', 'u.username', 'u.avatar'])
    .where('d.team_id', '=', team_id)
    .where('d.app_id', '=', app_id)
    .where((eb) => eb.or([eb('d.cvm_id', 'is', null), eb('d.cvm_id', '=', cvm_id)]))
    .orderBy('d.domain')
    .limit(LISTED);
  if (public_id !== undefined) query = query.where('d.public_id', '=', public_id);
  const rows = await query.execute();
  return rows.map(({ vm_uuid, user_public_id, username, avatar, ...domain }) => ({
    domain,
    vm_uuid,
    creator:
      user_public_id === null
        ? null
        : { public_id: user_public_id, username: username ?? '', avatar: avatar ?? '' },
  }));
}

/** Counts domains that are listed: those waiting for a CVM in the recycle bin can't be removed. */
export async function countDomains(
  db: Db | Tx,
  team_id: number,
  app_id: number,
): Promise<{ team: number; app: number }> {
  const { rows } = await sql<{ team: number; app: number }>`
    select count(*)::int as team, count(*) filter (where d.app_id = ${app_id})::int as app
    from domains d where d.team_id = ${team_id} and ${HAS_CVM}`.execute(db);
  return rows[0] ?? { team: 0, app: 0 };
}

/** Of two concurrent additions, the second counts the first's domain. */
export async function lockTeamDomains(trx: Tx, team_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`team-domains:${team_id}`}, 0))`.execute(trx);
}

/** Returns null when the team already has the domain, unless that waits for a CVM in the recycle bin. */
export async function insertDomain(
  trx: Tx,
  values: Pick<DomainRow, 'team_id' | 'app_id' | 'cvm_id' | 'domain' | 'port' | 'created_by'>,
): Promise<DomainRow | null> {
  await deleteWithNotices(
    trx,
    sql`id in (select d.id from domains d
    where d.team_id = ${values.team_id} and d.domain = ${values.domain} and not ${HAS_CVM})`,
  );
  const row = await trx
    .insertInto('domains')
    .values({ ...values, public_id: publicId('dom') })
    .onConflict((conflict) => conflict.columns(['team_id', 'domain']).doNothing())
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

export const deleteDomain = (trx: Tx, id: number): Promise<void> => deleteWithNotices(trx, sql`id = ${id}`);

/** Deletes domains, and ends the notices about them: nothing would report that they route to the app again. */
async function deleteWithNotices(db: Db | Tx, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    with gone as (delete from domains where ${which} returning team_id, public_id)
    update notifications n set resolved_at = now(), position = nextval('notification_positions')
    from gone where n.team_id = gone.team_id and n.kind = 'domain_trouble'
      and n.subject = 'domain:' || gone.public_id and n.resolved_at is null`.execute(db);
}

/** Whether a gateway of this installation serves the name itself. */
export async function isGatewayName(db: Db | Tx, name: string): Promise<boolean> {
  const { rows } = await sql<{ serves: boolean }>`
    select exists (
      select 1 from (select lower(split_part(gateway_base_domain, ':', 1)) as host from teepods) g
      where host <> '' and (host = ${name} or right(${name}, length(host) + 1) = '.' || host)
    ) as serves`.execute(db);
  return rows[0]?.serves === true;
}

/** A running instance of the app, with its gateway. */
export interface DomainInstance {
  app_id: string;
  cvm_id: number;
  instance_id: string | null;
  kind: 'local' | 'dstack_vmm';
  gateway_base_domain: string | null;
  compose_hash: string;
  app_compose: string;
}

/** Returns all CVMs the domain may route to. */
export async function instancesOf(
  db: Db | Tx,
  { app_id, cvm_id }: Pick<DomainRow, 'app_id' | 'cvm_id'>,
): Promise<DomainInstance[]> {
  const { rows } = await sql<DomainInstance>`
    select a.app_id, c.id as cvm_id, c.instance_id, t.kind, t.gateway_base_domain, r.compose_hash, r.app_compose
    from cvms c
    join apps a on a.id = c.app_id
    join teepods t on t.id = c.teepod_id
    join revisions r on r.id = c.revision_id
    where c.app_id = ${app_id} and c.deleted_at is null and (${cvm_id}::bigint is null or c.id = ${cvm_id}::bigint)
    order by c.id limit 100`.execute(db);
  return rows;
}

/**
 * Deletes domains whose team, app or CVM is deleted, once it can't be restored from the recycle bin. Their DNS records
 * name IDs that are never reused.
 */
export async function deleteOrphanDomains(db: Db): Promise<void> {
  await deleteWithNotices(
    db,
    sql`id in (
    select d.id from domains d
    join apps a on a.id = d.app_id
    join teams t on t.id = d.team_id
    left join cvms c on c.id = d.cvm_id
    where t.deleted_at is not null or (c.deleted_at is not null and c.purge_at is null)
      or (a.archived_at is not null
        and not exists (select from cvms r where r.app_id = a.id and r.purge_at is not null))
    limit 500)`,
  );
}

/** How often a domain without a CVM is looked at: one restored from the recycle bin is checked again by then. */
const WITHOUT_CVM_SECONDS = 300;

/** Ends a check of a domain that has no CVM left to route to. */
export async function postponeCheck(db: Db, id: number, owner: string): Promise<void> {
  await db
    .updateTable('domains')
    .set({ next_check_at: sql`now() + make_interval(secs => ${WITHOUT_CVM_SECONDS})`, ...NO_LEASE })
    .where(domainLeases.isOwn(id, owner))
    .execute();
}

/**
 * Stores a check's result and adds its event. If DNS names this app, another team that proved the domain before
 * loses it: control of the domain decides. Returns null when the domain has been removed.
 */
export async function applyDiagnosis(
  trx: Tx,
  id: number,
  diagnosis: DomainDiagnosis,
): Promise<DomainRow | null> {
  const found = await trx.selectFrom('domains').select('domain').where('id', '=', id).executeTakeFirst();
  if (!found) return null;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`domain:${found.domain}`}, 0))`.execute(trx);
  const before = await trx
    .selectFrom('domains')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) return null;
  const stored = storedDiagnosis(diagnosis);
  if (diagnosis.proved === true && before.proved_at === null) await takeOver(trx, before);
  const step = nextStanding(before, diagnosis, Math.random());
  const row = await trx
    .updateTable('domains')
    .set({
      ...step.standing,
      diagnosis: toJson(stored),
      checked_at: diagnosis.at,
      next_check_at: step.next_check_at,
      lease_owner: null,
      lease_until: null,
      updated_at: new Date(),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await addDomainEvent(trx, row, step.event, firstProblem(stored));
  return row;
}

async function takeOver(trx: Tx, { id, domain }: DomainRow): Promise<void> {
  const { rows } = await sql<DomainRow & { was: DomainRow['state'] }>`
    with former as (
      select id, state as was from domains where domain = ${domain} and id <> ${id} and proved_at is not null for update
    )
    update domains d set proved_at = null, next_check_at = now(), updated_at = now(),
      state = case when former.was = 'verified' then 'broken' else former.was end,
      broken_since = case when former.was = 'verified' then now() else d.broken_since end
    from former where d.id = former.id
    returning d.*, former.was`.execute(trx);
  for (const { was, ...row } of rows)
    if (was === 'verified') await addDomainEvent(trx, row, 'broken', 'Its TXT record names another app.');
}

async function addDomainEvent(
  trx: Tx,
  row: DomainRow,
  event: DomainStep['event'],
  problem: StoredDiagnosis['checks'][number]['message'] | null,
): Promise<void> {
  if (event === null) return;
  const { domain, port, team_id, app_id, cvm_id, public_id } = row;
  const good = event === 'verified';
  await addEvent(trx, {
    cvm: { team_id, app_id, id: cvm_id },
    kind: `domain.${event}`,
    severity: good ? 'info' : 'error',
    message: good
      ? `${domain} points to the app`
      : cutWhole(`${domain} no longer points to the app${problem === null ? '' : `: ${problem}`}`, 1000),
    data: { domain, domain_id: public_id, port, ...(good ? {} : { problem }) },
  });
}
