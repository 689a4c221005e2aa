import { sql } from 'kysely';
import type { Db } from '../core/client';
import { inShards } from '../hosts/hostShards';

export interface Round {
  teepod_id: number;
  at: Date;
}

export interface RoundClaims {
  claimed: Round[];
  /** When the current round began. */
  at: Date;
  /** Hosts in these shards whose round is still due. */
  left: number;
  /** The part of the round that is over, from 0 to 1. */
  elapsed: number;
}

/**
 * Claims the current round for some hosts in these shards, longest waiting first. The process that inserts the
 * row first gets it, so a host's round never runs twice, and a process that dies costs its hosts only that
 * round. Hosts start at different moments in the round's first third.
 */
export async function claimRounds(
  db: Db,
  given: {
    owner: string;
    seconds: number;
    shards: readonly number[];
    busy: readonly number[];
    limit: number;
  },
): Promise<RoundClaims> {
  const { owner, seconds, shards, busy, limit } = given;
  const { rows } = await sql<{
    teepod_id: number | null;
    at: Date;
    due: number;
    began: Date;
    elapsed: number;
  }>`
    with r as (
      select to_timestamp(floor(extract(epoch from clock_timestamp()) / ${seconds}::int) * ${seconds}::int) as at
    ), due as materialized (
      select t.id, r.at, m.round_at from teepods t cross join r left join metric_rounds m on m.teepod_id = t.id
      where t.state <> 'offline' and (m.round_at is null or m.round_at < r.at)
        and ${inShards('t.id', shards)} and t.id <> all(${[...busy]}::bigint[])
        and clock_timestamp() >= r.at + make_interval(secs => (t.id * 7919 % 1000) / 3000.0 * ${seconds}::int)
        and exists (select from cvms c where c.teepod_id = t.id and c.deleted_at is null and c.status = 'running')
    ), claimed as (
      insert into metric_rounds (teepod_id, round_at, owner)
      select id, at, ${owner} from due order by round_at nulls first, id limit ${limit}
      on conflict (teepod_id) do update set round_at = excluded.round_at, owner = excluded.owner,
        finished_at = null, cvms = null, answered = null
      where metric_rounds.round_at < excluded.round_at
      returning teepod_id, round_at as at
    )
    select r.at as began, (select count(*)::int from due) as due,
      (extract(epoch from clock_timestamp() - r.at) / ${seconds}::int)::float8 as elapsed, claimed.teepod_id, claimed.at
    from r left join claimed on true`.execute(db);
  const [first] = rows;
  // Without a claim, the only row has no host.
  const claimed = rows.flatMap(({ teepod_id, at }) => (teepod_id === null ? [] : { teepod_id, at }));
  return {
    claimed,
    at: first?.began ?? new Date(),
    left: (first?.due ?? 0) - claimed.length,
    elapsed: first?.elapsed ?? 0,
  };
}

export async function finishRound(
  db: Db,
  { teepod_id, at }: Round,
  owner: string,
  done: { cvms: number; answered: number },
): Promise<void> {
  await db
    .updateTable('metric_rounds')
    .set({ finished_at: new Date(), ...done })
    .where('teepod_id', '=', teepod_id)
    .where('round_at', '=', at)
    .where('owner', '=', owner)
    .execute();
}
