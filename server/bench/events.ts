import { createDb } from '../db/core/client';
import { ms, quantile, type Options, type Part, type Row } from './report';
import { seed } from './seed';
import { seedEvents } from './seedEvents';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

/** Queries from the most common to the worst case: rare, old, excluded or never together. */
const SEARCHES: [string, string][] = [
  ['everything', ''],
  ['a kind', 'kind:update.failed'],
  ['a pattern', 'kind:*.failed'],
  ['without the host', '-kind:host.*'],
  ['errors', 'severity:error'],
  ['a common word', 'boot'],
  ['a rare word', 'zanzibar'],
  ['a word only in the oldest events', 'ancient'],
  ['common words that never appear together', 'boot failed'],
  ['a phrase with symbols', '"eu-3 does"'],
  ['no user', 'by:none severity:error'],
  ['an hour long ago', 'after:2026-03-01T10:00 before:2026-03-01T11:00'],
  ['no matches', 'kind:host.* severity:error'],
];

/** GET /events of a team with many events, by query. */
export async function events(options: Options): Promise<Part> {
  const count = options.quick ? 50_000 : 1_000_000;
  const dataDir = await temporaryDir();
  try {
    const server = await startServerProcess(dataDir, { LOCAL_TEEPOD: 'off' });
    try {
      const database = await server.database();
      const db = createDb(database.pool);
      const seeded = await seed(server.url, db, options.quick ? 200 : 10_000);
      options.say(`${count} events`);
      await seedEvents(db, count, false);
      const rows: Row[] = [];
      const ask = async (what: string, query: Record<string, string>) => {
        const times: number[] = [];
        let found = 0;
        for (let i = 0; i < (options.quick ? 10 : 40); i++) {
          const began = performance.now();
          const reply = await fetch(
            `${server.url}/api/v1/events?${new URLSearchParams({ limit: '50', ...query })}`,
            {
              headers: { 'x-api-key': seeded.token },
            },
          );
          const page = (await reply.json()) as { data: unknown[]; pagination: { has_more: boolean } };
          times.push(performance.now() - began);
          if (reply.status !== 200)
            throw new Error(`${what} returned ${reply.status}: ${JSON.stringify(page)}`);
          found = page.data.length;
        }
        rows.push({
          what,
          figures: `p50 ${ms(quantile(times, 0.5))} p95 ${ms(quantile(times, 0.95))}, ${found} on the first page`,
          aim: 'p95 < 100 ms',
        });
      };
      for (const [what, q] of SEARCHES) await ask(what, q === '' ? {} : { q });
      await ask("one CVM's", { cvm: seeded.vm_uuids[0]! });
      await ask("one CVM's errors", { cvm: seeded.vm_uuids[0]!, q: 'severity:error' });
      await database.stop();
      return {
        title: 'Events',
        how: `GET /events?limit=50 with an API token, sequentially, ${count.toLocaleString('en')} events of one team over ten months, supervised PostgreSQL.`,
        rows,
      };
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}
