import { sql } from 'kysely';
import { createDb, type Db } from '../db/client';
import { identityOf } from '../testing/cvmFixtures';
import { ms, quantile, type Options, type Part, type Row } from './report';
import { EMAIL, seed } from './seed';
import { removeDir, startServerProcess, temporaryDir } from './serverProcess';

/** Ways of asking, from the usual to the worst: what is rare, old, left out, or never together. */
const SEARCHES: [string, string][] = [
  ['everything', ''],
  ['a kind', 'kind:update.failed'],
  ['a pattern', 'kind:*.failed'],
  ['without the host', '-kind:host.*'],
  ['errors', 'severity:error'],
  ['a common word', 'boot'],
  ['a rare word', 'zanzibar'],
  ['a word only the oldest have', 'ancient'],
  ['common words that never meet', 'boot failed'],
  ['a phrase with signs', '"eu-3 does"'],
  ['a person', 'by:none severity:error'],
  ['an hour long ago', 'after:2026-03-01T10:00 before:2026-03-01T11:00'],
  ['nothing that is there', 'kind:host.* severity:error'],
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
      await insert(db, count);
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
            throw new Error(`${what} answered ${reply.status}: ${JSON.stringify(page)}`);
          found = page.data.length;
        }
        rows.push({
          what,
          figures: `p50 ${ms(quantile(times, 0.5))} p95 ${ms(quantile(times, 0.95))}, ${found} on the first page`,
          aim: 'p95 < 100 ms',
        });
      };
      for (const [what, q] of SEARCHES) await ask(what, q === '' ? {} : { q });
      await ask('of one CVM', { cvm: seeded.vm_uuids[0]! });
      await ask('errors of one CVM', { cvm: seeded.vm_uuids[0]!, q: 'severity:error' });
      await database.stop();
      return {
        title: 'Events',
        how: `GET /events?limit=50 with an API token, one after another, ${count.toLocaleString('en')} events of one team over ten months, supervised PostgreSQL.`,
        rows,
      };
    } finally {
      await server.stop();
    }
  } finally {
    await removeDir(dataDir);
  }
}

async function insert(db: Db, count: number): Promise<void> {
  const { team_id } = await identityOf(db, EMAIL);
  const { rows } = await sql<{ count: number }>`select count(*) as count from cvms`.execute(db);
  const cvms = rows[0]!.count;
  await sql`alter table events disable trigger user`.execute(db);
  // In steps, each within the longest a statement may take.
  for (let from = 0; from < count; from += 50_000)
    await sql`
      insert into events (team_id, app_id, cvm_id, kind, severity, message, created_at)
      select ${team_id}, c.app_id, c.id,
        case when n % 500 = 0 then 'update.failed' when n % 3 = 0 then 'deploy.succeeded' else 'host.boot.progress' end,
        case when n % 500 = 0 then 'error' when n % 97 = 1 and n % 3 = 0 then 'warning' else 'info' end,
        case when n % 500 = 0 then 'Update failed: the host eu-' || n % 7 || ' does not answer'
          else 'Boot: step ' || n % 13 end
          || case when n % 99991 = 5 then ' Zanzibar' else '' end || case when n < 200 then ' ancient' else '' end,
        '2026-01-15'::timestamptz + n * (interval '300 days' / ${count}::int)
      from generate_series(${from}::int, ${Math.min(count, from + 50_000) - 1}::int) n
      join (select id, app_id, row_number() over (order by id) - 1 as at from cvms) c on c.at = n % ${cvms}::int`.execute(
      db,
    );
  await sql`alter table events enable trigger user`.execute(db);
  await sql`vacuum analyze events`.execute(db);
}
