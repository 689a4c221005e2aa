import { sql } from 'kysely';
import type { Db } from '../core/client';

/**
 * Entries take their IDs when inserted and appear when their transactions commit, so an entry can appear after
 * one with a higher ID. A reader that continues from the highest ID seen would skip it.
 *
 * A transaction locks the table from before it takes an ID until its entries are visible. If an ID is visible,
 * and all such transactions found afterward have ended, no entry can appear at or below that ID anymore.
 * Unlike transaction IDs this survives a restore into another database, and no writer waits.
 */
export interface AuditHorizon {
  /** Returns an ID up to which all entries are visible. It only grows; 0 until one is known. */
  settled(): Promise<number>;
}

export function createAuditHorizon(db: Db): AuditHorizon {
  let settled = 0;
  let candidate: { id: number; writers: ReadonlySet<string> } | null = null;

  return {
    async settled() {
      if (candidate) {
        const running = await writersOf(db);
        if (running.some((writer) => candidate?.writers.has(writer))) return settled;
        settled = Math.max(settled, candidate.id);
        candidate = null;
      }
      // The order matters: a writer that commits in between is found by neither query, and is visible to the
      // next reader.
      const id = await newestId(db);
      if (id <= settled) return settled;
      const writers = await writersOf(db);
      if (writers.length === 0) settled = id;
      else candidate = { id, writers: new Set(writers) };
      return settled;
    },
  };
}

async function newestId(db: Db): Promise<number> {
  const row = await db.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

/** Returns the unfinished transactions that have inserted entries, or are about to. */
async function writersOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'audit_log'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ writer }) => writer);
}
