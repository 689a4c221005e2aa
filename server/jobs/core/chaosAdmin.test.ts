import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBotServer, type BotServer } from '../../testing/botServer';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { eventually } from '../../testing/server';

/**
 * kill -9 of the server at random moments while it works through a bulk job and sends alerts to chats.
 * Afterwards each row was processed once or has an error. Each chat received each alert once, or twice if the
 * server died between the service accepting a message and recording that: services can't be queried for
 * accepted messages.
 */
const KILLS = Number(process.env.CHAOS_ADMIN_KILLS ?? 3);
const ROWS = 90;
/** Every tenth one has a teepod and can't be removed. */
const KEPT = ROWS / 10;
/** How long the service holds a message before it responds. */
const REPLY_MS = 80;
const CHATS = 8;
const HOSTS = ['alder', 'birch', 'cedar'];

let server: ChaosServer;
let bot: BotServer;
beforeAll(async () => {
  bot = await startBotServer({ reply_ms: REPLY_MS });
  server = await startChaosServer({ teepod: false, env: { CHAT_BOT_URL: bot.url } });
}, 120_000);
afterAll(async () => {
  await server?.close();
  await bot?.close();
});

it(`bulk jobs and alerts survive ${KILLS} kills`, { timeout: 600_000 }, async () => {
  const { query, call } = server;
  expect((await call('PUT', '/admin/chat/token', { token: bot.token }))?.status).toBe(200);
  await query(
    `insert into nodes (name, state) select 'row-' || n, 'online' from generate_series(1, ${ROWS}) n`,
  );
  await query(`insert into teepods (node_id, name, url, state, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
    select id, 'on-' || name, 'http://127.0.0.1:9', 'offline', 1, 1, 1, 1 from nodes where name ~ '^row-.*0$'`);
  await query(`insert into chats (service, chat_ref, title, kind, alerts)
    select 'telegram', (1000 + n)::text, 'Chat ' || n, 'person', '{host_unreachable}'::text[] from generate_series(1, ${CHATS}) n
    union all select 'telegram', '2000', 'Asks', 'person', '{}'::text[]`);
  await query(`with silent as (
      insert into teepods (node_id, name, url, state, max_cvms, max_vcpu, max_memory_mb, max_disk_gb)
      select (select min(id) from nodes where name = 'row-10'), name, 'http://127.0.0.1:9', 'cordoned', 1, 1, 1, 1
      from unnest(array['${HOSTS.join("','")}']) name returning id)
    insert into host_troubles (teepod_id, told_at) select id, now() from silent`);
  // The next start checks for problems immediately.
  await server.kill('server');
  const nodes = await query<{ id: number }>("select id::int from nodes where name like 'row-%' order by id");
  const begun = await call('POST', '/admin/bulk-jobs', {
    resource: 'nodes',
    action: 'delete',
    ids: nodes.map(({ id }) => id),
    expected_total: ROWS,
  });
  expect(begun?.status, JSON.stringify(begun?.body)).toBe(202);
  const id = Number(begun?.body.id);
  const left = async () =>
    Number(
      (
        await query<{ n: number }>(
          `select count(*)::int as n from admin_bulk_job_rows where job_id = ${id} and state = 'queued'`,
        )
      )[0]?.n,
    );

  let amidst = 0;
  for (let n = 0; n < KILLS; n++) {
    bot.type('/help', { id: 2000 });
    const sent_before = bot.messages.length;
    // The first kill falls between two rows, later ones while messages are in flight: all rows may be processed
    // before a message is sent.
    const isAmidst = async () => (n === 0 ? (await left()) < ROWS : bot.messages.length > sent_before);
    for (const until = Date.now() + 20_000; Date.now() < until && !(await isAmidst());) await wait(2);
    if (n > 0) await wait(Math.random() * REPLY_MS);
    await server.kill('server');
    if ((await left()) > 0) amidst++;
  }
  expect(amidst, 'kills with rows left').toBeGreaterThan(0);

  await eventually('the job has ended', async () => {
    const reply = await call('GET', `/admin/bulk-jobs/${id}`);
    return reply?.body.state === 'finished' && reply.body;
  });
  const job = (await call('GET', `/admin/bulk-jobs/${id}`))?.body;
  // Processing a row twice would find nothing to remove, and fail.
  expect(job).toMatchObject({ total: ROWS, done: ROWS, succeeded: ROWS - KEPT, failed: KEPT, skipped: 0 });
  const failed = await query<{ code: string; message: string }>(
    `select code, message from admin_bulk_job_rows where job_id = ${id} and state = 'failed'`,
  );
  for (const { message } of failed) expect(message).toMatch(/^row-\d+ runs /);
  const audits = await query<{ target_id: string; n: number }>(
    "select target_id, count(*)::int as n from audit_log where action = 'node.delete' group by target_id",
  );
  const stay = await query<{ id: number }>("select id::int from nodes where name like 'row-%'");
  expect(stay).toHaveLength(KEPT);
  expect(audits.every(({ n }) => n === 1)).toBe(true);
  expect(audits.map(({ target_id }) => Number(target_id)).sort((a, b) => a - b)).toEqual(
    nodes.map((node) => node.id).filter((one) => !stay.some((node) => node.id === one)),
  );

  await eventually(
    'all messages are sent',
    async () =>
      (await query("select 1 from chat_messages where part = 'alert' and state = 'sent'")).length ===
        CHATS * HOSTS.length &&
      (await query("select 1 from chat_messages where state in ('waiting', 'sending')")).length === 0,
    60,
  );
  const told = await query<{ chat_ref: string; title: string; attempts: number }>(
    `select c.chat_ref, a.title, m.attempts from chat_messages m
     join chats c on c.id = m.chat_id join alerts a on a.id = m.alert_id`,
  );
  for (const { chat_ref, title, attempts } of told) {
    const heard = bot.messages.filter((one) => one.chat_id === chat_ref && one.text.includes(title));
    expect(heard.length, `${chat_ref} receives “${title}”`).toBeGreaterThan(0);
    expect(heard.length).toBeLessThanOrEqual(attempts);
  }
  // Only messages in flight are repeated, before anything else.
  for (const chat_ref of new Set(told.map((one) => one.chat_ref))) {
    const said = bot.messages
      .filter((one) => one.chat_id === chat_ref)
      .map(({ text }) => text.split('\n')[0]);
    const again = said.filter((text, at) => said.indexOf(text) < at && said[at - 1] !== text);
    expect(again, `chat ${chat_ref} gets a repeat`).toEqual([]);
  }
  // Each command is answered once, however often it was fetched.
  expect(await query("select 1 from chat_messages where part = 'answer'")).toHaveLength(KILLS);
});
