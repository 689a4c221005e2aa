import { sql } from 'kysely';
import { ChainCheck, type ChainBreak, type ChainLink } from '../../domain/audit/auditChain';
import type { Db } from '../core/client';

const BATCH_SIZE = 1000;

/** An earlier state of a chain, kept where the database's writers can't change it. */
export interface Anchor {
  seq: number;
  /** 64 hex digits. */
  hash: string;
}

export interface ChainReport {
  /** Public ID of the team, or `platform`. */
  name: string;
  slug: string | null;
  /** Unaltered entries. */
  entries: number;
  /** Of the last unaltered entry; 64 hex digits. */
  hash: string;
  broken: ChainBreak | null;
}

/** Verifies every chain in turn, in batches, while the server may keep writing. */
export async function* verifyChains(
  db: Db,
  anchors: ReadonlyMap<string, Anchor> = new Map(),
): AsyncGenerator<ChainReport> {
  const seen = new Set<string>();
  for (let chain = await nextChain(db, -1); chain !== null; chain = await nextChain(db, chain)) {
    const { name, slug } = await chainName(db, chain);
    seen.add(name);
    yield verifyNamed(db, chain, { name, slug }, anchors.get(name));
  }
  for (const [name, anchor] of anchors)
    if (!seen.has(name))
      yield empty(
        name,
        null,
        anchor.seq === 1 ? 'its only entry is missing' : `all ${anchor.seq} entries are missing`,
      );
  // Every team's first entry is its creation, so a team without entries lost them.
  for await (const team of teamsWithoutEntries(db))
    if (!anchors.has(team.public_id)) yield empty(team.public_id, team.slug, 'every entry is missing');
}

/** Verifies one chain from its first entry. */
export const verifyChain = async (db: Db, chain: number): Promise<ChainReport> =>
  verifyNamed(db, chain, await chainName(db, chain));

async function verifyNamed(
  db: Db,
  chain: number,
  { name, slug }: Pick<ChainReport, 'name' | 'slug'>,
  anchor?: Anchor,
): Promise<ChainReport> {
  const check = new ChainCheck(name);
  const broken = await walk(db, chain, check, anchor);
  return { name, slug, entries: check.seq, hash: check.hash.toString('hex'), broken };
}

const empty = (name: string, slug: string | null, message: string): ChainReport => ({
  name,
  slug,
  entries: 0,
  hash: new ChainCheck(name).hash.toString('hex'),
  broken: { seq: 1, kind: 'missing', message },
});

async function* teamsWithoutEntries(db: Db): AsyncGenerator<{ public_id: string; slug: string }> {
  for (let after = 0; ;) {
    const { rows } = await sql<{ id: number; public_id: string; slug: string }>`
      select id, public_id, slug from teams
      where id > ${after} and not exists (select from audit_log where chain = teams.id)
      order by id limit ${BATCH_SIZE}`.execute(db);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH_SIZE) return;
    after = last.id;
  }
}

async function nextChain(db: Db, after: number): Promise<number | null> {
  const { rows } = await sql<{ chain: number | null }>`
    select least((select min(chain) from audit_heads where chain > ${after}),
                 (select min(chain) from audit_log where chain > ${after})) as chain`.execute(db);
  return rows[0]?.chain ?? null;
}

async function chainName(db: Db, chain: number): Promise<{ name: string; slug: string | null }> {
  if (chain === 0) return { name: 'platform', slug: null };
  const team = await db
    .selectFrom('teams')
    .select(['public_id', 'slug'])
    .where('id', '=', chain)
    .executeTakeFirst();
  return { name: team?.public_id ?? `team ${chain}`, slug: team?.slug ?? null };
}

async function walk(
  db: Db,
  chain: number,
  check: ChainCheck,
  anchor: Anchor | undefined,
): Promise<ChainBreak | null> {
  // Read the last entry before the head: both are written together, so the head can only be further ahead.
  const last = await lastSeq(db, chain);
  const head = await db
    .selectFrom('audit_heads')
    .select(['seq', 'hash'])
    .where('chain', '=', chain)
    .executeTakeFirst();
  for (;;) {
    const links = await batch(db, chain, check.seq, head?.seq ?? last);
    for (const link of links) {
      const broken =
        check.next(link) ??
        (link.names_hold
          ? null
          : changed(link.seq, `entry ${link.seq} was changed: it names another user or token`));
      if (broken) return broken.kind === 'changed' ? await orReordered(db, chain, check, broken) : broken;
      if (link.seq === anchor?.seq && link.hash.toString('hex') !== anchor.hash)
        return changed(link.seq, `entry ${link.seq}, or one before it, differs from the earlier run`);
    }
    if (links.length < BATCH_SIZE) break;
  }
  const end = Math.max(head?.seq ?? 0, anchor?.seq ?? 0);
  if (check.seq < end)
    return {
      seq: check.seq + 1,
      kind: 'truncated',
      message: `the end is cut off: entries ${check.seq + 1} to ${end} are missing`,
    };
  if (!head) return changed(check.seq, 'the record of the last entry was removed');
  if (last > head.seq)
    return changed(head.seq + 1, `the record of the last entry was set back to ${head.seq}`);
  if (!check.hash.equals(head.hash)) return changed(check.seq, `entry ${check.seq} was replaced`);
  return null;
}

const changed = (seq: number, message: string): ChainBreak => ({ seq, kind: 'changed', message });

/** Whether the entry that belongs here has a different position. */
async function orReordered(
  db: Db,
  chain: number,
  check: ChainCheck,
  broken: ChainBreak,
): Promise<ChainBreak> {
  const { rows } = await sql<{ seq: number }>`
    select seq from audit_log where chain = ${chain} and prev_hash = ${check.hash} and seq <> ${check.seq + 1}
    order by seq limit 1`.execute(db);
  const [elsewhere] = rows;
  if (!elsewhere) return broken;
  return {
    seq: broken.seq,
    kind: 'reordered',
    message: `entries were reordered: the one that belongs at ${check.seq + 1} is at ${elsewhere.seq}`,
  };
}

async function lastSeq(db: Db, chain: number): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`
    select max(seq) as seq from audit_log where chain = ${chain}`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** `names_hold`: the row refers to the actor its hashed text names. */
async function batch(
  db: Db,
  chain: number,
  after: number,
  to: number,
): Promise<(ChainLink & { names_hold: boolean })[]> {
  const { rows } = await sql<ChainLink & { names_hold: boolean }>`
    select l.seq, l.prev_hash, l.hash, audit_record(l) as record,
      u.public_id is not distinct from l.actor_id and t.public_id is not distinct from l.token_public_id
        and b.public_id is not distinct from l.on_behalf_of_id as names_hold
    from audit_log l
    left join users u on u.id = l.actor_user_id
    left join users b on b.id = l.on_behalf_of_user_id
    left join api_tokens t on t.id = l.token_id
    where l.chain = ${chain} and l.seq > ${after} and l.seq <= ${to}
    order by l.seq limit ${BATCH_SIZE}`.execute(db);
  return rows;
}
