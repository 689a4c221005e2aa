import { sql } from 'kysely';
import type { Db } from '../core/client';

/**
 * Entries take their IDs when they are inserted and appear when their transactions commit, so an entry can appear after
 * one with a higher ID. A reader that continues from the highest ID it has seen would skip it.
 *
 * A transaction holds a lock on the table from before it takes an ID until after its entries are visible. So no entry
 * can appear at or below an ID that was visible before one looked for such transactions, once all those found have
 * ended. Unlike transaction IDs this survives a restore into another database, and it makes no writer wait.
 */
export interface AuditHorizon {
  /** Returns an ID up to which every entry that will ever be visible is. It only grows; 0 while none is known. */
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
      // In this order: a writer that commits in between is found by neither, and is visible to the next reader.
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

/** Returns the transactions that inserted entries, or are about to, and haven't ended. */
async function writersOf(db: Db): Promise<string[]> {
  const { rows } = await sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'relation' and relation = 'audit_log'::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ writer }) => writer);
}
