import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createLogger } from '../../log';
import { createTestDatabase } from '../../testing/database';
import { eventually } from '../../testing/server';
import { createEventBus, JOB_CHANNEL } from './eventBus';

it('reopens a connection on which nothing arrives anymore, although neither end has closed it', async () => {
  const database = await createTestDatabase();
  const { host, port = 5432, connectionString } = database.connection;
  const far = connectionString === undefined ? undefined : new URL(connectionString);
  const [sockets, dropped] = [new Set<Socket>(), new Set<Socket>()];
  // Between the bus and its database.
  const door = createServer((near) => {
    const there = far
      ? connect(Number(far.port || 5432), far.hostname)
      : connect({ path: `${host}/.s.PGSQL.${port}` });
    for (const [from, to] of [
      [near, there],
      [there, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
      from.on('data', (bytes) => dropped.has(from) || to.write(bytes));
    }
  });
  await once(door.listen(0, '127.0.0.1'), 'listening');
  const url = new URL(database.url);
  url.searchParams.delete('host');
  url.hostname = '127.0.0.1';
  url.port = String((door.address() as AddressInfo).port);
  const bus = createEventBus({ connectionString: url.href }, createLogger('silent'), { check_ms: 100 });
  const heard = new Set<number>();
  bus.onJob((notice) => 'mail' in notice && heard.add(notice.mail));
  let reopened = 0;
  bus.onLogLevel(() => (reopened += 1));
  const tell = (mail: number) =>
    eventually(
      `the bus hears ${mail}`,
      async () => {
        await sql`select pg_notify(${JOB_CHANNEL}, ${JSON.stringify({ mail })})`.execute(database.db);
        return heard.has(mail);
      },
      10,
    );
  try {
    await tell(1);
    for (const socket of sockets) dropped.add(socket);
    await tell(2);
    expect(reopened, 'readers know that they missed events').toBe(1);
  } finally {
    door.close();
    for (const socket of sockets) socket.destroy();
    await bus.stop();
    await database.drop();
  }
});

it('a worker hears events from the first reader on, which learns that it may have missed some', async () => {
  const database = await createTestDatabase();
  const bus = createEventBus(database.connection, createLogger('silent'), { serves: false });
  const notify = (channel: string, payload: object) =>
    sql`select pg_notify(${channel}, ${JSON.stringify(payload)})`.execute(database.db);
  try {
    let jobs = 0;
    bus.onJob(() => (jobs += 1));
    await eventually('the bus hears jobs', async () => {
      await notify(JOB_CHANNEL, { mail: 1 });
      return jobs > 0;
    });
    const heard: unknown[] = [];
    bus.subscribe(7, (notice) => heard.push(notice));
    await eventually('the reader learns when it begins', () => Promise.resolve(heard.length > 0));
    const event = { id: 1, team_id: 7, cvm_id: null };
    await notify('teehouse_events', event);
    await eventually('the reader hears the event', () => Promise.resolve(heard.length > 1));
    expect(heard).toEqual(['reconnected', event]);
  } finally {
    await bus.stop();
    await database.drop();
  }
});
