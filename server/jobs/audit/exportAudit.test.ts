import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditDestinationRow } from '../../db/audit/auditDestinationsTable';
import { appendAudit, type AuditRow } from '../../db/audit/auditLog';
import { lateDestinations } from '../../db/audit/auditExport';
import { sealDestinationSecret } from '../../domain/audit/destination';
import type { ExportedEntry } from '../../domain/audit/exportedEntry';
import { administratorPolicy } from '../../domain/core/outbound';
import { createSeal } from '../../domain/core/seal';
import { createOutbound } from '../../drivers/net/outbound';
import { createSyslogDriver } from '../../drivers/syslog/tcp';
import { createLogger } from '../../log';
import { selfSigned, type TestCertificate } from '../../testing/certificate';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { eventually } from '../../testing/server';
import { startSyslog } from '../../testing/syslogServer';
import { insertTeam, type TestTeam } from '../../testing/teamFixtures';
import { startReceiver, type Received, type Receiver } from '../../testing/webhookReceiver';
import { newWorkerId } from '../core/workerId';
import { createAuditExporter, type AuditExporter } from './exportAudit';

const SECRET = 'a secret of the receiver';
const seal = createSeal(Buffer.from('s'.repeat(40)));
const policy = administratorPolicy({ outboundAllow: [] });
let database: TestDatabase;
let receiver: Receiver;
let team: TestTeam;
let certificate: TestCertificate;
let at = new Date();
const ending: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  team = await insertTeam(database.db, 'acme');
  certificate = selfSigned('127.0.0.1');
});
afterAll(() => database.drop());
beforeEach(async () => {
  at = new Date();
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
  await receiver.close();
  await database.db.deleteFrom('audit_destinations').execute();
});

function exporter({ owner = newWorkerId(), attempt_ms = 5_000 } = {}): AuditExporter {
  const net = createOutbound(policy);
  const made = createAuditExporter({
    db: database.db,
    seal,
    net,
    syslog: createSyslogDriver(policy),
    publicUrl: 'https://cloud.example.com',
    log: createLogger('silent'),
    owner,
    now: () => at,
    attempt_ms,
  });
  ending.push(async () => {
    await made.stop();
    await net.close();
  });
  return made;
}
const run = async (one: AuditExporter) => {
  await one.sweep();
  await one.idle();
};
const pass = (seconds: number) => (at = new Date(at.getTime() + seconds * 1000));

const entry = (n: number, more: Partial<AuditRow> = {}): AuditRow => ({
  actor_kind: 'system',
  action: 'thing.change',
  target_kind: 'thing',
  target_id: String(n),
  team_id: n % 2 === 0 ? team.id : null,
  after: { n },
  ...more,
});
const write = (count: number, more: Partial<AuditRow> = {}) =>
  appendAudit(
    database.db,
    Array.from({ length: count }, (_, n) => entry(n, more)),
  );
const newest = async () =>
  (await sql<{ id: number }>`select coalesce(max(id), 0) as id from audit_log`.execute(database.db)).rows[0]!
    .id;
const idsAfter = async (id: number) =>
  (await database.db.selectFrom('audit_log').select('id').where('id', '>', id).orderBy('id').execute()).map(
    (row) => String(row.id),
  );

/** Creates a destination that receives every entry from now on. */
async function destination(given: Partial<AuditDestinationRow> = {}): Promise<AuditDestinationRow> {
  const kind = given.kind ?? 'webhook';
  return database.db
    .insertInto('audit_destinations')
    .values({
      name: given.name ?? 'siem',
      kind,
      address: given.address ?? receiver.url,
      sealed_secret: kind === 'webhook' ? sealDestinationSecret(seal, SECRET) : null,
      ca_certificate: given.ca_certificate ?? null,
      delivered_id: given.delivered_id ?? (await newest()),
      ...(given.state ? { state: given.state } : {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
const rowOf = ({ id }: AuditDestinationRow) =>
  database.db.selectFrom('audit_destinations').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

interface Batch {
  id: string;
  test: boolean;
  installation: string;
  entries: ExportedEntry[];
}
const batchOf = ({ body }: Received) => JSON.parse(body) as Batch;
const entriesOf = (received: readonly Received[]) => received.flatMap((one) => batchOf(one).entries);
const idsOf = (received: readonly Received[]) => entriesOf(received).map(({ id }) => id);

describe('a webhook', () => {
  it('gets every entry of the platform and all teams, in order, in signed batches', async () => {
    const made = await destination();
    await write(450);
    await run(exporter());
    expect(receiver.received.map((one) => batchOf(one).entries.length)).toEqual([200, 200, 50]);
    expect(idsOf(receiver.received)).toEqual(await idsAfter(made.delivered_id));
    const [first] = receiver.received;
    const timestamp = String(first!.headers['x-webhook-timestamp']);
    const signature = createHmac('sha256', SECRET).update(`${timestamp}.${first!.body}`).digest('hex');
    expect(first!.headers).toMatchObject({
      'x-webhook-signature': `sha256=${signature}`,
      'x-webhook-event': 'audit.entries',
      'x-webhook-id': batchOf(first!).id,
    });
    expect(batchOf(first!)).toMatchObject({ installation: 'https://cloud.example.com', test: false });
    const of = (n: number) => entriesOf(receiver.received).find(({ target }) => target?.id === String(n));
    expect(of(2)).toMatchObject({ team: { slug: 'acme' }, action: 'thing.change', after: { n: 2 } });
    expect(of(3)).toMatchObject({ team: null, chain: 'platform' });
    expect(await rowOf(made)).toMatchObject({
      failures: 0,
      last_error: null,
      delivered_at: at,
      lease_owner: null,
    });
    expect((await rowOf(made)).delivered_id).toBe(await newest());
  });

  it('that fails keeps its place, is retried later, and then gets everything once', async () => {
    receiver.answer = (_one, res) => void res.writeHead(503).end();
    const made = await destination();
    await write(3);
    const one = exporter();
    await run(one);
    expect(await rowOf(made)).toMatchObject({
      failures: 1,
      failing_since: at,
      delivered_id: made.delivered_id,
      last_error: expect.stringContaining('returned status 503'),
    });
    const failing_since = at;
    await run(one);
    expect(receiver.received).toHaveLength(1);
    pass(5);
    await run(one);
    expect(await rowOf(made)).toMatchObject({ failures: 2, failing_since });
    receiver.received.length = 0;
    receiver.answer = (_one, res) => void res.writeHead(200).end();
    await write(2);
    pass(10);
    await run(one);
    expect(idsOf(receiver.received)).toEqual(await idsAfter(made.delivered_id));
    expect(await rowOf(made)).toMatchObject({ failures: 0, failing_since: null, next_attempt_at: null });
  });

  it('is not followed through redirects', async () => {
    receiver.answer = (_one, res) =>
      void res.writeHead(302, { location: 'https://elsewhere.example.com/' }).end();
    const made = await destination();
    await write(1);
    await run(exporter());
    expect((await rowOf(made)).last_error).toMatch(/returned status 302: redirects are not followed/);
  });

  it('gets an entry larger than a batch, without the oversized values', async () => {
    const made = await destination();
    await write(1, { before: 'x'.repeat(40_000), after: { short: true } });
    await run(exporter());
    expect(entriesOf(receiver.received)).toMatchObject([
      { before: null, after: { short: true }, omitted: ['before'] },
    ]);
    expect((await rowOf(made)).failures).toBe(0);
  });

  it('gets batches of limited size', async () => {
    const made = await destination();
    await write(120, { after: 'x'.repeat(20_000) });
    await run(exporter());
    for (const { body } of receiver.received) expect(Buffer.byteLength(body)).toBeLessThan(1_100_000);
    expect(receiver.received.length).toBeGreaterThan(2);
    expect(idsOf(receiver.received)).toEqual(await idsAfter(made.delivered_id));
  });

  it('gets nothing while it is paused, and continues where it was', async () => {
    const made = await destination({ state: 'paused' });
    await write(2);
    const one = exporter();
    await run(one);
    expect(receiver.received).toEqual([]);
    await database.db.updateTable('audit_destinations').set({ state: 'active' }).execute();
    await run(one);
    expect(idsOf(receiver.received)).toEqual(await idsAfter(made.delivered_id));
  });

  it('at a new address gets the batch that was in progress at the old one', async () => {
    const second = await startReceiver();
    ending.push(() => second.close());
    const made = await destination();
    await write(2);
    receiver.answer = (_one, res) => {
      void database.db
        .updateTable('audit_destinations')
        .set({ address: second.url })
        .execute()
        .then(() => res.writeHead(200).end());
    };
    const one = exporter();
    await run(one);
    await run(one);
    expect(idsOf(second.received)).toEqual(await idsAfter(made.delivered_id));
  });
});

describe('several processes', () => {
  it('deliver each entry once', async () => {
    const made = await destination();
    await write(600);
    const all = ['a-1-x', 'b-1-x', 'c-1-x'].map((owner) => exporter({ owner }));
    for (let i = 0; i < 3; i++) await Promise.all(all.map(run));
    expect(idsOf(receiver.received)).toEqual(await idsAfter(made.delivered_id));
  });

  it('continue where a killed one stopped, and repeat only what it had in progress', async () => {
    const [machine] = newWorkerId().split('-');
    let isHanging = false;
    receiver.answer = (_one, res) => {
      // The receiver has the second batch; the process dies before it reads the answer.
      if (receiver.received.length === 2) isHanging = true;
      else res.writeHead(200).end();
    };
    const made = await destination();
    await write(500);
    const killed = exporter({ owner: `${machine}-999999999-killed`, attempt_ms: 60_000 });
    await killed.sweep();
    await eventually('the second batch was sent', async () => isHanging);
    await run(exporter());
    const ids = await idsAfter(made.delivered_id);
    const batches = receiver.received.map((one) => batchOf(one).entries.map(({ id }) => id));
    expect(batches).toEqual([ids.slice(0, 200), ids.slice(200, 400), ids.slice(200, 400), ids.slice(400)]);
    expect((await rowOf(made)).delivered_id).toBe(await newest());
  });

  it('take over after the lease when the other machine is unreachable', async () => {
    const made = await destination();
    await write(1);
    await sql`update audit_destinations set lease_owner = 'elsewhere-1-x', lease_until = ${new Date(at.getTime() + 30_000)}
      where id = ${made.id}`.execute(database.db);
    const one = exporter();
    await run(one);
    expect(receiver.received).toEqual([]);
    await sql`update audit_destinations set lease_until = now() - interval '1 second'`.execute(database.db);
    await run(one);
    expect(receiver.received).toHaveLength(1);
  });

  it('wait for a transaction that took an earlier ID and commits later', async () => {
    const made = await destination();
    const client = await database.pool.connect();
    try {
      await client.query('begin');
      await client.query(
        `insert into audit_log (actor_kind, action, team_id) values ('system', 'slow.change', $1)`,
        [team.id],
      );
      await write(1, { team_id: null });
      const one = exporter();
      await run(one);
      expect(receiver.received).toEqual([]);
      await client.query('commit');
      await run(one);
      expect(entriesOf(receiver.received).map(({ action }) => action)).toEqual([
        'slow.change',
        'thing.change',
      ]);
      expect(idsOf(receiver.received)).toEqual(await idsAfter(made.delivered_id));
    } finally {
      client.release();
    }
  });
});

describe('a syslog server over TLS', () => {
  const syslog = async (port: number, more: Partial<AuditDestinationRow> = {}) =>
    destination({
      kind: 'syslog_tls',
      address: `127.0.0.1:${port}`,
      ca_certificate: certificate.cert,
      ...more,
    });

  it('gets every entry in order, including those written while it was down', async () => {
    let server = await startSyslog(certificate);
    const { port } = server;
    const made = await syslog(port);
    await write(250);
    const one = exporter();
    await run(one);
    const first = server.received.map(({ params }) => params.id);
    await server.close();
    await write(30);
    await run(one);
    expect(await rowOf(made)).toMatchObject({ failures: 1, last_error: expect.stringContaining('refuses') });
    server = await startSyslog(certificate, port);
    ending.push(() => server.close());
    pass(5);
    await run(one);
    const all = [...first, ...server.received.map(({ params }) => params.id)];
    expect(all).toEqual(await idsAfter(made.delivered_id));
    expect(server.received[0]).toMatchObject({
      host: 'cloud.example.com',
      id: 'thing.change',
      priority: 110,
    });
  });

  it('gets user-supplied text that cannot forge an entry', async () => {
    const server = await startSyslog(certificate);
    ending.push(() => server.close());
    const made = await syslog(server.port);
    const forged =
      '"] x\n99 <110>1 2026-11-21T08:00:00Z cloud.example.com teehouse - user.delete [audit@32473 id="1"] {}';
    await write(2, {
      target_id: forged,
      user_agent: forged,
      request_id: forged,
      after: { name: forged.repeat(100) },
    });
    await run(exporter());
    expect(server.received.map(({ params }) => params.id)).toEqual(await idsAfter(made.delivered_id));
    for (const { id, raw, params } of server.received) {
      expect(id).toBe('thing.change');
      expect(raw).not.toMatch(/\p{Cc}/u);
      expect(params.target?.startsWith('"] x\uFFFD99 <110>1')).toBe(true);
    }
  });

  it('with another certificate gets nothing', async () => {
    const server = await startSyslog(selfSigned('127.0.0.1'));
    ending.push(() => server.close());
    const made = await syslog(server.port);
    await write(1);
    await run(exporter());
    expect(server.received).toEqual([]);
    expect((await rowOf(made)).last_error).toMatch(/certificate isn't trusted/);
  });
});

it('a destination is late once its oldest entry has waited for 15 minutes, unless it is catching up', async () => {
  const made = await destination();
  await write(1);
  const late = async () => (await lateDestinations(database.db)).map(({ name, is_old }) => [name, is_old]);
  const set = (text: string) =>
    sql`update audit_destinations set ${sql.raw(text)} where id = ${made.id}`.execute(database.db);
  expect(await late()).toEqual([]);
  // Inserts an entry with that time, as the trigger would write it.
  await sql`insert into audit_log (at, actor_kind, action) values (now() - interval '16 minutes', 'system', 'x')`.execute(
    database.db,
  );
  const long_ago = "now() - interval '2 days'";
  await set(`delivered_id = ${(await newest()) - 1}, created_at = ${long_ago}, updated_at = ${long_ago}`);
  expect(await late()).toEqual([['siem', false]]);
  await set(`delivered_at = now() - interval '1 minute'`);
  expect(await late()).toEqual([]);
  await set(`delivered_at = null, state = 'paused'`);
  expect(await late()).toEqual([]);
  await set(`state = 'active', updated_at = now()`);
  expect(await late()).toEqual([]);
});
