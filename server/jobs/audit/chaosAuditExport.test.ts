import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChaosServer, type ChaosServer } from '../../testing/chaosServer';
import { eventually } from '../../testing/server';
import { startReceiver, type Receiver } from '../../testing/webhookReceiver';

/** kill -9 of the server at random moments while it delivers the audit log to a real receiver. */
const KILLS = 3;
const ENTRIES = 6_000;
/** How long the receiver takes to answer a batch. */
const REPLY_MS = 150;

let server: ChaosServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer = (_one, res) => void setTimeout(() => res.writeHead(204).end(), REPLY_MS);
  server = await startChaosServer({ teepod: false, external: true });
}, 120_000);
afterAll(async () => {
  await server?.close();
  await receiver?.close();
});

const batches = () =>
  receiver.received.map(({ body }) =>
    (JSON.parse(body) as { entries: { id: string }[] }).entries.map(({ id }) => Number(id)),
  );

it(
  `no entry is lost over ${KILLS} kills, and only batches in progress are repeated`,
  { timeout: 600_000 },
  async () => {
    const { call, query } = server;
    const added = await call('POST', '/admin/audit-destinations', {
      name: 'siem',
      kind: 'webhook',
      address: receiver.url,
      secret: 'a secret of the receiver',
      start: 'beginning',
    });
    expect(added?.status, JSON.stringify(added?.body)).toBe(201);
    const add = (count: number) =>
      query(
        `insert into audit_log (actor_kind, action) select 'system', 'load.test' from generate_series(1, ${count})`,
      );
    await add(ENTRIES / 2);
    for (let n = 0; n < KILLS; n++) {
      const before = receiver.received.length;
      await eventually('another batch arrives', async () => receiver.received.length > before + 1);
      await wait(Math.random() * REPLY_MS);
      await server.kill('server');
      await add(ENTRIES / 2 / KILLS);
    }
    const everything = async () =>
      (await query<{ id: number }>('select id::int from audit_log order by id')).map(({ id }) => id);
    await eventually('everything is delivered', async () => {
      const [row] = await query<{ is_done: boolean }>(
        'select delivered_id = (select max(id) from audit_log) as is_done from audit_destinations',
      );
      return row?.is_done;
    });
    const all = await everything();
    const received = batches();
    expect([...new Set(received.flat())]).toEqual(all);
    // Every batch starts where the previous one ended, or repeats the previous one's start.
    for (const [at, batch] of received.entries()) {
      const place = all.indexOf(batch[0] ?? 0);
      expect(batch).toEqual(all.slice(place, place + batch.length));
      const before = received[at - 1];
      if (before) expect([all.indexOf(before[0] ?? 0), all.indexOf(before.at(-1) ?? 0) + 1]).toContain(place);
    }
    const repeated = received.filter(([first], at) => received[at - 1]?.[0] === first);
    expect(repeated.length).toBeLessThanOrEqual(KILLS);
  },
);
