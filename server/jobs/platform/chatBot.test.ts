import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AdminChat, AdminChatCode, AdminChatLink } from '../../../generated/api/types.gen';
import { reconcileAlerts, notifyChats } from '../../db/platform/alerts';
import { troublesOf, type Trouble } from '../../db/platform/alertTroubles';
import { withTransaction } from '../../db/core/client';
import { createTelegramDriver } from '../../drivers/chat/telegram';
import { startAdminTest, problemOf, type AdminTest } from '../../operations/core/admin/testing/admin';
import { startBotServer, type BotServer } from '../../testing/botServer';
import { insertHost } from '../../testing/cvmFixtures';
import { watchAlerts } from './alerts';
import { createChatBot, type ChatBot } from './chatBot';

let test: AdminTest;
let telegram: BotServer;
let bot: ChatBot;
const lines: string[] = [];

beforeAll(async () => {
  telegram = await startBotServer();
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web', CHAT_BOT_URL: telegram.url });
  bot = worker('worker-a');
});
afterAll(async () => {
  await bot.stop();
  await test.server.stop();
  await telegram.close();
});

function worker(owner: string): ChatBot {
  const { db, seal, config } = test.server.services;
  return createChatBot({
    db,
    seal,
    owner,
    driver: createTelegramDriver(telegram.url),
    service: config.chatBot.service,
    publicUrl: config.publicUrl,
    log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
  });
}

const setToken = (token: string) => test.admin.call('setAdminChatToken', { body: { token } });
const code = async () => ((await test.admin.call('createAdminChatCode')).body as AdminChatCode).link_code;
const chats = async () => ((await test.admin.call('getAdminChat')).body as AdminChat).chats;
const said = () => telegram.messages.map(({ text }) => text);

/** Types a message, and runs the bot until it has answered. */
async function hear(text: string, chat?: Parameters<BotServer['type']>[1]): Promise<string> {
  const before = telegram.messages.length;
  telegram.type(text, chat);
  await bot.listen();
  await deliver();
  return said().slice(before).join('\n');
}

/** Sends pending messages, as if the service's required pauses had passed. */
async function deliver(): Promise<void> {
  const { db } = test.server.services;
  for (let round = 0; round < 5; round++) {
    await db
      .updateTable('chats')
      .set({ next_send_at: new Date(0) })
      .execute();
    await bot.send();
  }
}

const trouble = (change: Partial<Trouble> = {}): Trouble => ({
  kind: 'host_unreachable',
  subject: 'teepod:1',
  severity: 'critical',
  title: 'The host a is not responding',
  message: 'gone',
  ...change,
});

async function wrong(...troubles: Trouble[]): Promise<void> {
  await withTransaction(test.server.services.db, async (trx) =>
    notifyChats(trx, await reconcileAlerts(trx, troubles), new Date()),
  );
  await deliver();
}

describe('the token', () => {
  it('is tested before it is stored, sealed, and appears in no reply, audit row or log line', async () => {
    const wrongOne = await setToken('1:not-this-one-at-all');
    expect(wrongOne.status).toBe(422);
    expect(problemOf(wrongOne.body).detail.details[0]?.field).toBe('token');
    expect((await setToken('../../evil/12345')).status).toBe(422);
    expect((await test.admin.call('createAdminChatCode')).status).toBe(409);
    const reply = await setToken(telegram.token);
    expect(reply.body).toMatchObject({ state: 'connecting', bot: { username: 'tea_bot' } });
    const row = await test.server.services.db.selectFrom('chat_bots').selectAll().executeTakeFirstOrThrow();
    const seen = JSON.stringify([reply.body, row, await test.audits('chat_bot', 'telegram'), lines]);
    expect(seen).not.toContain('AAEjXk2');
    expect((await test.member.call('getAdminChat')).status).toBe(403);
    expect((await test.member.call('deleteAdminChatToken')).status).toBe(403);
  });

  it('stops the bot when revoked, reported without the token', async () => {
    const { db, seal } = test.server.services;
    const good = await db.selectFrom('chat_bots').selectAll().executeTakeFirstOrThrow();
    const sealed_token = seal.seal('chat-bot-token', '1:revoked-AAEjXk2');
    await db.updateTable('chat_bots').set({ sealed_token }).execute();
    const other = worker('worker-b');
    await other.listen();
    await other.stop();
    expect((await test.admin.call('getAdminChat')).body).toMatchObject({
      state: 'failing',
      last_error: expect.stringContaining('Unauthorized'),
    });
    expect(lines.join('')).not.toContain('AAEjXk2');
    await db.updateTable('chat_bots').set({ sealed_token: good.sealed_token, last_error: null }).execute();
  });
});

describe('a chat', () => {
  it('that is not linked receives linking instructions, once, and nothing else', async () => {
    const answer = await hear('/status', { id: 666 });
    expect(answer).toContain("isn't linked");
    expect(answer).not.toMatch(/Hosts|CVMs/);
    expect(await hear('/cvms', { id: 666 })).toBe('');
    expect(await hear('/link AAAA-BBBB', { id: 666 })).toBe('');
    expect(await chats()).toEqual([]);
  });

  it('is linked by a code that works once and for ten minutes', async () => {
    const typed = await code();
    expect(await hear(`/link ${typed.toLowerCase()}`)).toContain('Linked');
    expect(await hear(typed, { id: 667 })).not.toContain('Linked');
    const old = await code();
    await test.server.services.db
      .updateTable('chat_codes')
      .set({ expires_at: new Date(Date.now() - 1_000) })
      .execute();
    expect(await hear(old)).toContain('unknown');
    expect(await hear('Anything is here')).not.toContain('unknown');
    const kept = await code();
    const admins = test.server.services.db.updateTable('users').where('platform_role', '=', 'admin');
    await admins.set({ state: 'suspended' }).execute();
    expect(await hear(kept), 'is not linked when the code’s creator may no longer link chats').toContain(
      'unknown',
    );
    await admins.set({ state: 'active' }).execute();
    const linked = await chats();
    expect(linked).toMatchObject([{ title: 'Ada', kind: 'person', state: 'linked' }]);
    expect(await test.audits('chat', linked[0]?.id ?? 0)).toMatchObject([
      { action: 'chat.link', after: { title: 'Ada', kind: 'person' } },
    ]);
  });

  it('answers status, CVMs and help', async () => {
    expect(await hear('/status')).toMatch(/Hosts: 0 of 0 responding[^]*No open alerts/);
    expect(await hear('/cvms')).toBe('There are no CVMs.');
    expect(await hear(`/cvms ${test.member.slug}`)).toContain('has no CVMs');
    expect(await hear('/cvms nobody')).toBe('There is no team nobody.');
    expect(await hear('/help@tea_bot')).toContain('/ack 12');
    expect(await hear('hello')).toContain('Available commands');
  });

  it('answers a command once, even if it is read again after a crash', async () => {
    const { db } = test.server.services;
    telegram.type('/help');
    const before = telegram.messages.length;
    await bot.listen();
    await db.updateTable('chat_bots').set({ lease_owner: null, lease_until: null }).execute();
    // The process that died had not confirmed its progress to the service.
    telegram.type('/help');
    const next = worker('worker-c');
    await next.listen();
    await next.stop();
    await deliver();
    expect(telegram.messages.length - before).toBe(2);
  });
});

describe('alerts', () => {
  beforeEach(async () => {
    await wrong();
    await test.server.services.db.deleteFrom('alerts').execute();
    telegram.messages.length = 0;
  });

  it('are one message each, no matter how often they are updated, and notify again when resolved', async () => {
    await wrong(trouble(), trouble({ subject: 'teepod:2', title: 'The host b is not responding' }));
    await wrong(
      trouble({ message: 'still' }),
      trouble({ subject: 'teepod:2', title: 'The host b is not responding' }),
    );
    expect(said()).toHaveLength(2);
    await wrong(trouble({ subject: 'teepod:2', title: 'The host b is not responding' }));
    expect(said()).toHaveLength(3);
    expect(said()[0]).toMatch(/✅ Resolved #\d+: The host a/);
    expect(said()[2]).toMatch(/✅ Resolved #\d+: The host a/);
  });

  it('are the same alert when they recur soon, counted', async () => {
    await wrong(trouble());
    await wrong();
    await wrong(trouble());
    expect(said().filter((text) => text.includes('2 times'))).not.toHaveLength(0);
    expect(await test.server.services.db.selectFrom('alerts').select('count').execute()).toEqual([
      { count: 2 },
    ]);
  });

  it('stay silent until resolved once acknowledged', async () => {
    await wrong(trouble());
    const number = /#(\d+)/.exec(said()[0] ?? '')?.[1] ?? '';
    expect(await hear(`/ack ${number}`)).toContain('Acknowledged');
    expect(await hear(`/ack ${number}`)).toContain('was acknowledged by ada');
    expect(await test.audits('alert', number)).toMatchObject([
      { action: 'alert.acknowledge', after: { by: 'ada', chat: 'Ada' } },
    ]);
    expect(said()[0]).toContain('Acknowledged by ada');
    const count = telegram.messages.length;
    await wrong();
    expect(telegram.messages.length).toBe(count);
    expect(said()[0]).toContain('✅ Resolved');
    const page = await test.admin.call('acknowledgeAdminAlert', { path: { id: Number(number) } });
    expect(page.status).toBe(409);
    await wrong(trouble());
    expect(said()[0]).toContain(`/ack ${number} silences it.`);
  });

  it('go to the chats subscribed by kind and severity, outside quiet hours', async () => {
    const [chat] = (await chats()) as [AdminChatLink];
    const set = async (body: Record<string, unknown>) =>
      expect((await test.admin.call('updateAdminChatLink', { path: { id: chat.id }, body })).status).toBe(
        200,
      );
    await set({ min_severity: 'critical' });
    await wrong(trouble({ severity: 'warning' }));
    expect(said()).toEqual([]);
    await wrong(trouble({ severity: 'critical' }));
    expect(said()).toHaveLength(1);
    await set({ min_severity: 'warning', alerts: ['queue_stuck'] });
    await wrong(trouble(), trouble({ kind: 'mail_failing', subject: 'mail' }));
    expect(said()).toHaveLength(1);
    const hour = (shift: number) => new Date(Date.now() + shift * 3_600_000).toISOString().slice(11, 16);
    await set({ quiet_hours: { from: hour(-1), to: hour(1) }, time_zone: 'UTC' });
    await wrong(trouble(), trouble({ kind: 'queue_stuck', subject: 'queue:mail', title: 'Stuck' }));
    expect(said()).toHaveLength(1);
    // A problem resolved before its announcement is not announced.
    await wrong(trouble());
    const waiting = await test.server.services.db
      .selectFrom('chat_messages')
      .select('id')
      .where('state', '=', 'waiting')
      .execute();
    expect(waiting).toEqual([]);
    expect(
      (await test.admin.call('updateAdminChatLink', { path: { id: chat.id }, body: { time_zone: 'Mars/X' } }))
        .status,
    ).toBe(422);
    await set({ quiet_hours: null, alerts: chat.alerts });
  });

  it("honor the service's retry delay and stop for a chat that rejects them", async () => {
    telegram.refuse({ error_code: 429, description: 'Too Many Requests', retry_after: 120 });
    await wrong(trouble());
    expect(said()).toEqual([]);
    const message = () =>
      test.server.services.db
        .selectFrom('chat_messages')
        .selectAll()
        .where('part', '=', 'alert')
        .executeTakeFirstOrThrow();
    const held = await message();
    expect((held.next_attempt_at?.getTime() ?? 0) - Date.now()).toBeGreaterThan(100_000);
    expect(held.attempts).toBe(0);
    telegram.refuse({ error_code: 403, description: 'Forbidden: bot was blocked by the user' });
    await test.server.services.db
      .updateTable('chat_messages')
      .set({ next_attempt_at: new Date(0) })
      .execute();
    await deliver();
    expect(await chats()).toMatchObject([
      { state: 'refused', last_error: expect.stringContaining('blocked') },
    ]);
    const [chat] = (await chats()) as [AdminChatLink];
    expect((await test.admin.call('testAdminChatLink', { path: { id: chat.id } })).status).toBe(409);
    expect(await hear(`/link ${await code()}`)).toContain('Linked');
    expect((await test.admin.call('testAdminChatLink', { path: { id: chat.id } })).status).toBe(202);
    await deliver();
    expect(said().at(-1)).toMatch(/^Test from/);
  });

  it('are opened and resolved from the state of the database', async () => {
    const { db, config } = test.server.services;
    const failed = new Date(Date.now() - 9 * 60_000);
    await db
      .insertInto('schedule_runs')
      .values({
        id: 'x',
        name: 'x',
        every_seconds: 600,
        last_run_at: failed,
        next_run_at: null,
        last_failed_at: failed,
        last_error: 'broken',
        worker_id: null,
      })
      .execute();
    await watchAlerts({ db, dataDir: config.dataDir });
    await watchAlerts({ db, dataDir: config.dataDir });
    const listed = (await test.admin.call('listAdminAlerts')).body;
    expect(listed).toContainEqual(
      expect.objectContaining({ kind: 'schedule_failing', state: 'open', count: 1 }),
    );
    await db.deleteFrom('schedule_runs').execute();
    await watchAlerts({ db, dataDir: config.dataDir });
    expect((await test.admin.call('listAdminAlerts')).body).toContainEqual(
      expect.objectContaining({ kind: 'schedule_failing', state: 'over' }),
    );
  });

  it('are one for each of 200 hosts, and one for the rest', async () => {
    const { db } = test.server.services;
    const { teepod } = await insertHost(db);
    await sql`
      insert into teepods (node_id, kms_id, name, kind, url, max_cvms, max_vcpu, max_memory_mb, max_disk_gb, held_strays)
      select node_id, kms_id, name || '-' || n, kind, url, 1, 1, 1, 1, 3 from teepods, generate_series(1, 202) n
      where id = ${teepod.id}`.execute(db);
    const held = (await troublesOf(db)).filter(({ kind }) => kind === 'strays_held');
    expect(held).toHaveLength(201);
    expect(held.at(-1)).toMatchObject({
      subject: 'more',
      severity: 'critical',
      title: 'Removals on 2 more hosts are paused',
    });
    await db.deleteFrom('teepods').where('held_strays', '>', 0).execute();
  });

  it('reveal nothing to an unlinked chat', async () => {
    const [chat] = (await chats()) as [AdminChatLink];
    const kept = await test.server.services.db.selectFrom('chat_bots').selectAll().executeTakeFirstOrThrow();
    await test.server.services.db.deleteFrom('chat_bots').execute();
    const tried = await test.admin.call('testAdminChatLink', { path: { id: chat.id } });
    expect([tried.status, problemOf(tried.body).message]).toEqual([409, 'The bot has no token.']);
    await test.server.services.db.insertInto('chat_bots').values(kept).execute();
    expect((await test.admin.call('deleteAdminChatLink', { path: { id: chat.id } })).status).toBe(204);
    expect((await test.admin.call('deleteAdminChatLink', { path: { id: chat.id } })).status).toBe(404);
    await wrong(trouble());
    expect(said()).toEqual([]);
    expect((await test.admin.call('deleteAdminChatToken')).body).toMatchObject({ state: 'off', bot: null });
  });
});
