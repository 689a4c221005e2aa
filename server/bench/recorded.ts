import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { Database } from '../db/core/schema';

/** An operation's database statements in waves; statements of one wave run concurrently. */
interface Statement {
  text: string;
  values: unknown[];
}
export type Waves = Statement[][];

/**
 * Runs `work` on a database that records every statement. A statement that starts before an earlier one has ended
 * joins its wave, so replaying the waves has the same concurrency.
 */
export async function record(
  pool: pg.Pool,
  work: (db: Kysely<Database>) => Promise<unknown>,
): Promise<Waves> {
  const waves: Waves = [];
  let running = 0;
  const noting = {
    async connect() {
      const client = await pool.connect();
      return {
        async query(text: string, values: readonly unknown[]) {
          if (running === 0) waves.push([]);
          waves.at(-1)?.push({ text, values: [...values] });
          running += 1;
          try {
            return await client.query(text, [...values]);
          } finally {
            running -= 1;
          }
        },
        release: () => client.release(),
      };
    },
    end: async () => undefined,
  };
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: noting as never }) });
  await work(db);
  return waves;
}
