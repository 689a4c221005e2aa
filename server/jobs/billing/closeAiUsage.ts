import type { Logger } from 'pino';
import {
  findAiMeter,
  firstUnposted,
  insertAiUsageLines,
  postAiRequests,
  saveAiMeter,
  teamsToChargeForAi,
  type PostedAiUsage,
} from '../../db/ai/aiCharges';
import { lockLedger, openGrants, post } from '../../db/billing/ledger';
import { withTransaction, type Db, type Tx } from '../../db/core/client';
import { chargePicos } from '../../domain/ai/usage';
import { charge } from '../../domain/billing/ledger';
import { utcSpan } from '../../domain/core/dates';
import { catchUp } from './catchUp';
import { closableUntil, HOUR_MS } from './closeUsage';

const BATCH_SIZE = 200;

/**
 * Charges teams for requests to the AI gateway, up to the last full hour: one ledger transaction per team and hour with
 * requests. Any number of processes may run it concurrently; each request is charged once.
 */
export async function closeAiUsage({ db, log, now }: { db: Db; log: Logger; now: Date }): Promise<void> {
  const until = closableUntil(now);
  for (let after = 0; ;) {
    const teams = await teamsToChargeForAi(db, until, { after, limit: BATCH_SIZE });
    for (const team_id of teams)
      await closeTeam(db, team_id, until).catch((err: unknown) =>
        log.error({ err, team: team_id }, "couldn't charge AI requests; retrying in the next run"),
      );
    const last = teams.at(-1);
    if (last === undefined || teams.length < BATCH_SIZE) return;
    after = last;
  }
}

const closeTeam = (db: Db, team_id: number, until: Date): Promise<void> =>
  catchUp(() => withTransaction(db, (trx) => closeNextHour(trx, team_id, until)));

/**
 * Charges a team's earliest hour with uncharged requests. Requests recorded after their hour was closed are
 * charged with the next. @returns false if there is none before `until`
 */
async function closeNextHour(trx: Tx, team_id: number, until: Date): Promise<boolean> {
  await lockLedger(trx, team_id);
  const since = await firstUnposted(trx, team_id);
  if (!since) return false;
  const meter = await findAiMeter(trx, team_id);
  const start = new Date(
    Math.max(Math.floor(since.getTime() / HOUR_MS) * HOUR_MS, meter?.closed_until.getTime() ?? 0),
  );
  const end = new Date(start.getTime() + HOUR_MS);
  if (end > until) return false;
  const grants = await openGrants(trx, team_id);
  const moments = grants.flatMap(({ expires_at }) => (expires_at ? [expires_at] : []));
  const used = await postAiRequests(trx, team_id, end, moments);
  const carry = meter?.carry_picos ?? 0;
  const lines = linesOf(used);
  const charged = chargePicos(
    carry,
    lines.map(({ cost_picos }) => cost_picos),
  );
  const amount = charged.amounts.reduce((sum, one) => sum + one, 0);
  // The carried remainder predates the hour.
  const usedBefore = (moment: Date) => {
    const passed = moments.findIndex((one) => one.getTime() === moment.getTime());
    const costs = used.filter((one) => one.passed <= passed).map(({ cost_picos }) => BigInt(cost_picos));
    return chargePicos(carry, costs).amounts.reduce((sum, one) => sum + one, 0);
  };
  const posted =
    amount > 0
      ? await post(trx, {
          team_id,
          kind: 'usage',
          source_type: 'ai_hour',
          source_id: `${team_id}/${start.toISOString().slice(0, 13)}`,
          description: `Confidential AI on ${utcSpan(start, end)}`,
          effective_at: end,
          entries: charge(amount, grants, usedBefore),
        })
      : null;
  if (amount > 0 && !posted)
    throw new Error(`AI requests of the hour ${start.toISOString()} of team ${team_id} are charged already`);
  await insertAiUsageLines(
    trx,
    lines.map((line, index) => ({
      ...line,
      team_id,
      transaction_id: posted?.id ?? null,
      effective_at: end,
      cost_picos: Number(line.cost_picos),
      amount_micros: charged.amounts[index] ?? 0,
    })),
  );
  await saveAiMeter(trx, { team_id, closed_until: end, carry_picos: charged.carry });
  return true;
}

interface Line extends Omit<PostedAiUsage, 'passed' | 'cost_picos'> {
  cost_picos: bigint;
}

/** One line per hour, model and key. */
function linesOf(used: readonly PostedAiUsage[]): Line[] {
  const lines = new Map<string, Line>();
  for (const { passed: _passed, ...one } of used) {
    const key = `${one.starts_at.toISOString()} ${one.key_id} ${one.model}`;
    const line = lines.get(key);
    lines.set(key, {
      ...one,
      requests: one.requests + (line?.requests ?? 0),
      input_tokens: one.input_tokens + (line?.input_tokens ?? 0),
      cached_tokens: one.cached_tokens + (line?.cached_tokens ?? 0),
      output_tokens: one.output_tokens + (line?.output_tokens ?? 0),
      cost_picos: BigInt(one.cost_picos) + (line?.cost_picos ?? 0n),
    });
  }
  return [...lines.values()];
}
