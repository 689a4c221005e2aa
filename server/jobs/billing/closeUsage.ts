import type { Logger } from 'pino';
import { lockLedger, openGrants, post } from '../../db/billing/ledger';
import {
  carryOf,
  changesSince,
  insertLines,
  openMeters,
  saveMeters,
  storedCarry,
  teamsBehind,
  type Meter,
  type MeterChange,
  type NewLine,
} from '../../db/billing/usage';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { charge } from '../../domain/billing/ledger';
import { amountWithin, meter } from '../../domain/billing/metering';
import { utcSpan } from '../../domain/core/dates';
import { catchUp } from './catchUp';
import { correctLate } from './correctUsage';

export const HOUR_MS = 3_600_000;
/** A transaction may still be writing a change to the hour that just ended. */
const HOLD_BACK_MS = 5 * 60_000;
const BATCH_SIZE = 200;
/** Teams posted concurrently: each mostly waits for the database. */
const CONCURRENT = 4;

/** The latest full hour that may be posted. */
export const closableUntil = (now: Date): Date =>
  new Date(Math.floor((now.getTime() - HOLD_BACK_MS) / HOUR_MS) * HOUR_MS);

/**
 * Posts team usage up to the last full hour: usage lines and one ledger transaction per team and hour. Any
 * number of processes may run it concurrently; each hour of a team is posted once.
 */
export async function closeUsage({ db, log, now }: { db: Db; log: Logger; now: Date }): Promise<void> {
  const until = closableUntil(now);
  for (let after = 0; ;) {
    const teams = await teamsBehind(db, until, { after, limit: BATCH_SIZE });
    const waiting = [...teams];
    const close = async () => {
      for (let team = waiting.shift(); team; team = waiting.shift()) {
        const { team_id, since } = team;
        await closeTeam(db, team_id, since, until).catch((err: unknown) =>
          log.error({ err, team: team_id }, "couldn't post usage; retrying in the next run"),
        );
      }
    };
    await Promise.all(Array.from({ length: CONCURRENT }, close));
    const last = teams.at(-1);
    if (!last || teams.length < BATCH_SIZE) return;
    after = last.team_id;
  }
}

async function closeTeam(db: Db, team_id: number, since: Date, until: Date): Promise<void> {
  let end = Math.floor(since.getTime() / HOUR_MS) * HOUR_MS;
  await catchUp(async () => {
    end += HOUR_MS;
    if (end > until.getTime()) return false;
    await withTransaction(db, (trx) => closeTeamHour(trx, team_id, new Date(end)));
    return true;
  });
}

/** Posts a team's usage for the hour that ends at `end`. Does nothing if already posted. */
export async function closeTeamHour(trx: Tx, team_id: number, end: Date): Promise<void> {
  await lockLedger(trx, team_id);
  const meters = await openMeters(trx, team_id, end);
  if (meters.length === 0) return;
  const changes = await changesSince(trx, meters, end);
  const closed = meters.map((one) => advance(one, changes.get(one.cvm_id) ?? [], end));
  const lines = closed.flatMap((one) => one.lines);
  const amount = lines.reduce((sum, line) => sum + line.amount_micros, 0);
  const grants = amount > 0 ? await openGrants(trx, team_id) : [];
  const usedBefore = (moment: Date) =>
    lines.reduce((sum, line) => sum + amountWithin(line, { from: line.from, to: moment }), 0);
  const start = new Date(end.getTime() - HOUR_MS);
  const posted =
    amount > 0
      ? await post(trx, {
          team_id,
          kind: 'usage',
          source_type: 'team_hour',
          source_id: `${team_id}/${start.toISOString().slice(0, 13)}`,
          description: `Usage on ${utcSpan(start, end)}`,
          effective_at: end,
          entries: charge(amount, grants, usedBefore),
        })
      : null;
  if (amount > 0 && !posted)
    throw new Error(`the hour ${start.toISOString()} of team ${team_id} is posted already`);
  await insertLines(trx, { team_id, transaction_id: posted?.id ?? null }, lines);
  for (const one of closed)
    if (one.late.length > 0)
      one.meter = { ...one.meter, ...storedCarry(await correctLate(trx, team_id, one)) };
  await saveMeters(
    trx,
    closed.map((one) => one.meter),
  );
}

export interface Advanced {
  lines: NewLine[];
  /** The meter before and after the hour. */
  before: Meter;
  meter: Meter & { ended: boolean };
  /** Changes that take effect within hours already posted. */
  late: MeterChange[];
}

/** Meters one CVM up to `end`. `changes` come from `changesSince`. */
function advance(before: Meter, changes: readonly MeterChange[], end: Date): Advanced {
  const { cvm_id, closed_until, basis } = before;
  const metered = meter(changes, { from: closed_until, to: end }, { basis, carry: carryOf(before) });
  const last = changes.at(-1);
  return {
    lines: metered.lines.filter((line) => line.basis !== 'none').map((line) => ({ ...line, cvm_id })),
    before,
    meter: {
      ...before,
      closed_until: end,
      change_id: last?.id ?? before.change_id,
      basis: metered.basis,
      ...storedCarry(metered.carry),
      ended: last?.status === 'deleted',
    },
    late: lateOf(
      changes.filter(({ id }) => id > (before.change_id ?? 0)),
      closed_until,
    ),
  };
}

/**
 * Returns the changes before the first that takes effect at or after `closed_until`; none after it is late
 * either.
 */
function lateOf(changes: readonly MeterChange[], closed_until: Date): MeterChange[] {
  const end = changes.findIndex(({ at }) => at >= closed_until);
  return end === -1 ? [...changes] : changes.slice(0, end);
}
