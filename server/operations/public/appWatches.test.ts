import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { housekeeping } from '../../jobs/core/housekeeping';
import { notifyWatchers } from '../../jobs/public/notifyWatchers';
import { mailsTo } from '../../testing/mail';
import { eventually, startTestServer, type TestClient, type TestServer } from '../../testing/server';

/** Visitors watching a published app: confirmed by email, notified of changes, unsubscribed with one click. */
let server: TestServer;
let owner: TestClient;
let visitor: TestClient;
let app_id: string;
let vm_uuid: string;
let address = '';
let count = 0;

const compose = (image: string) => `services:\n  web:\n    image: ${image}\n    command: sleep 1000\n`;
const ended = (correlation_id: string) =>
  eventually('the operation has succeeded', async () => {
    const { body } = await owner.call('getOperation', { path: { correlation_id } });
    return body.state === 'succeeded';
  });

beforeAll(async () => {
  server = await startTestServer({ teepod: true });
  visitor = server.anonymous;
  await server.register();
  owner = await server.register();
  const provision = await owner.call('provisionCvm', {
    body: { name: 'watched', compose_file: { docker_compose_file: compose('nginx:1') } },
  });
  app_id = String(provision.body.app_id);
  const made = await owner.call('createCvm', {
    body: { app_id, compose_hash: String(provision.body.compose_hash) },
  });
  vm_uuid = String(made.body.vm_uuid);
  await ended(String(made.body.correlation_id));
});
afterAll(() => server?.stop());
beforeEach(async () => {
  await server.services.db.deleteFrom('app_watches').execute();
  await server.services.db.deleteFrom('stopped_watches').execute();
  address = `visitor-${++count}@example.test`;
  await publish(true);
});

const publish = async (listed: boolean) =>
  expect((await owner.call('setCvmListed', { path: { cvm_id: vm_uuid }, body: { listed } })).status).toBe(
    204,
  );
const ask = (email = address, id = app_id) =>
  visitor.call('watchPublicApp', { path: { app_id: id }, body: { email } });
const mails = (to = address) => mailsTo(server.services, to);
const linkOf = ({ text }: { text: string }) => /\/explorer\/watch\?token=([\w%-]+)/.exec(text)?.[1] ?? '';
const confirm = (token: string) => visitor.call('confirmAppWatch', { query: { token } });
const end = (token: string) => visitor.call('endAppWatch', { query: { token } });
const watches = () => server.services.db.selectFrom('app_watches').selectAll().execute();

/** Does the worker's part, with a verification result of "verified". */
const tell = (check = async () => 'verified') => {
  const { db, mail: outbox, seal, log, config } = server.services;
  return notifyWatchers({ db, outbox, seal, log, public_url: config.publicUrl, check });
};
/** Backdates recent mail so that it no longer delays the next. */
const later = () =>
  server.services.db
    .updateTable('app_watches')
    .set({ told_at: new Date(Date.now() - 3_600_000) })
    .execute();

async function watching(): Promise<string> {
  expect((await ask()).status).toBe(204);
  const token = linkOf((await mails())[0]!);
  expect((await confirm(token)).status).toBe(204);
  return token;
}

async function update(image: string): Promise<void> {
  const { body } = await owner.call('patchCvm', {
    path: { cvm_id: vm_uuid },
    body: { docker_compose_file: compose(image) },
  });
  await ended(String(body.correlation_id));
}

describe('requesting to watch', () => {
  it('sends a link, and nothing else until the address is confirmed', async () => {
    expect((await ask()).status).toBe(204);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ template: 'app_watch_confirm' });
    await update('nginx:2');
    await tell();
    expect(await mails()).toHaveLength(1);
  });

  it('gives the same answer for an address already watching the app, and sends nothing', async () => {
    await watching();
    expect((await ask(address.toUpperCase())).status).toBe(204);
    expect(await mails(address.toUpperCase())).toEqual([]);
    expect(await watches()).toHaveLength(1);
  });

  it('sends an address at most one link in six hours', async () => {
    for (let times = 0; times < 3; times++) expect((await ask()).status).toBe(204);
    expect(await mails()).toHaveLength(1);
    await server.services.db
      .updateTable('app_watches')
      .set({ asked_at: new Date(Date.now() - 7 * 3_600_000) })
      .execute();
    await ask();
    const [first, second] = await mails();
    expect(linkOf(second!)).toBe(linkOf(first!));
  });

  it('sends an address at most five links a day across apps', async () => {
    const { db } = server.services;
    const { id, team_id } = await db
      .selectFrom('apps')
      .select(['id', 'team_id'])
      .where('app_id', '=', app_id)
      .executeTakeFirstOrThrow();
    for (let other = 0; other < 5; other++) {
      const app = await db
        .insertInto('apps')
        .values({
          public_id: `prj_other${other}`,
          app_id: `${other}`.repeat(40),
          team_id,
          name: 'other',
        } as never)
        .onConflict((on) => on.doNothing())
        .returning('id')
        .executeTakeFirst();
      await db
        .insertInto('app_watches')
        .values({ public_id: `wtc_${other}`, app_id: app?.id ?? id, app_name: 'other', email: address })
        .execute();
    }
    expect((await ask()).status).toBe(204);
    expect(await mails()).toEqual([]);
    await db.deleteFrom('app_watches').execute();
    await db.deleteFrom('apps').where('name', '=', 'other').execute();
  });

  it('works despite thousands of unconfirmed links', async () => {
    const { db } = server.services;
    const asked = (minutes: number) =>
      sql`insert into app_watches (public_id, app_id, app_name, email, asked_at)
        select 'wtc_waiting_' || n, a.id, 'watched', 'waiting-' || n || '@example.test',
          now() - make_interval(mins => ${minutes}, secs => -n * 0.001)
        from apps a, generate_series(1, 5000) n where a.app_id = ${app_id}`.execute(db);
    const waiting = async (email: string) => (await watches()).filter((one) => one.email === email).length;
    // Addresses with recently sent links keep their place.
    await asked(30);
    await ask();
    expect(await mails()).toEqual([]);
    await db.deleteFrom('app_watches').execute();
    await asked(90);
    await ask();
    expect(await mails()).toHaveLength(1);
    expect(await waiting(address)).toBe(1);
    expect(await waiting('waiting-1@example.test')).toBe(0);
    expect(await watches()).toHaveLength(5_000);
  });

  it('rejects invalid addresses and unpublished apps', async () => {
    expect((await ask('nobody')).status).toBe(422);
    expect((await ask('a@example.test,b@example.test')).status).toBe(422);
    await publish(false);
    expect((await ask()).status).toBe(404);
    expect((await ask(address, 'f'.repeat(40))).status).toBe(404);
  });

  it('deletes addresses not confirmed within two days', async () => {
    await ask();
    const token = linkOf((await mails())[0]!);
    await server.services.db
      .updateTable('app_watches')
      .set({ asked_at: new Date(Date.now() - 3 * 86_400_000) })
      .execute();
    await housekeeping(server.services.db);
    expect(await watches()).toEqual([]);
    expect((await confirm(token)).body).toMatchObject({ code: 'ERR-00-035' });
  });
});

describe('a watcher', () => {
  it('gets the diff, both hashes and the result of a new verification after an update, once', async () => {
    await watching();
    await tell();
    expect(await mails()).toHaveLength(1);
    await update('nginx:3');
    await tell();
    await tell();
    const [, mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('watched');
    const lines = mail!.text.replaceAll('\u2060', '').split('\n');
    expect(lines).toContain('+     image: nginx:3');
    expect(lines.some((line) => /^- {5}image: nginx:\d$/.test(line))).toBe(true);
    const { body } = await visitor.call('getPublicApp', { path: { app_id } });
    expect(mail?.text).toContain(String(body.compose_hash));
    expect(mail?.text).toMatch(/Our check: +verified\n/);
    expect(mail?.text).toMatch(new RegExp(`/explorer/${app_id}/versions/\\d+\n`));
  });

  it('gets one email for several changes within ten minutes', async () => {
    await watching();
    await update('nginx:4');
    await tell();
    await update('nginx:5');
    await update('nginx:6');
    await tell();
    expect(await mails()).toHaveLength(2);
    await later();
    await tell();
    const third = (await mails())[2]!.text.replaceAll('\u2060', '');
    expect(third).toContain('-     image: nginx:4');
    expect(third).toContain('+     image: nginx:6');
    expect(third).not.toContain('nginx:5');
  });

  it('gets an email when the app is unpublished and republished, without its new name', async () => {
    await watching();
    await publish(false);
    await server.services.db
      .updateTable('apps')
      .set({ name: 'secret-name' })
      .where('app_id', '=', app_id)
      .execute();
    await tell();
    await later();
    expect((await mails())[1]).toMatchObject({ template: 'app_unpublished' });
    expect(JSON.stringify(await mails())).not.toContain('secret-name');
    await publish(true);
    await tell();
    expect((await mails())[2]?.subject).toContain('is published again');
    await server.services.db
      .updateTable('apps')
      .set({ name: 'watched' })
      .where('app_id', '=', app_id)
      .execute();
  });

  it('gets mail even if the app can’t be verified', async () => {
    await watching();
    await update('nginx:7');
    await tell(async () => {
      throw new Error('no answer');
    });
    const [, mail] = await mails();
    expect(mail?.template).toBe('app_changed');
    expect(mail?.text).not.toContain('Our check');
  });

  it('ends the watch with one click, which can be repeated', async () => {
    const token = await watching();
    await update('nginx:8');
    await tell();
    expect((await end(token)).status).toBe(204);
    expect((await end(token)).status).toBe(204);
    expect(await watches()).toEqual([]);
    await update('nginx:9');
    await tell();
    expect(await mails()).toHaveLength(2);
  });

  it('that has unsubscribed is sent no link for the app for a week, in any spelling', async () => {
    const { db } = server.services;
    expect((await end(await watching())).status).toBe(204);
    for (const email of [address, address.toUpperCase()]) expect((await ask(email)).status).toBe(204);
    expect([await mails(), await mails(address.toUpperCase())].flat()).toHaveLength(1);
    expect(await watches()).toEqual([]);
    const kept = await db.selectFrom('stopped_watches').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain('visitor');
    await db
      .updateTable('stopped_watches')
      .set({ stopped_at: new Date(Date.now() - 8 * 86_400_000) })
      .execute();
    await ask();
    expect(await mails()).toHaveLength(2);
    await housekeeping(db);
    expect(await db.selectFrom('stopped_watches').selectAll().execute()).toEqual([]);
  });
});

it('is audited only for actual changes', async () => {
  const audited = async () => {
    const { db } = server.services;
    const rows = await db
      .selectFrom('audit_log')
      .select('action')
      .where('action', '=', 'app_watch.ask')
      .execute();
    return rows.length;
  };
  const before = await audited();
  for (let times = 0; times < 4; times++) expect((await ask()).status).toBe(204);
  expect(await audited()).toBe(before + 1);
});

describe('the link', () => {
  it('opens a page and changes nothing', async () => {
    await ask();
    const token = linkOf((await mails())[0]!);
    const opened = await fetch(`${server.url}/api/v1/explorer/watches/end?token=${token}`, {
      redirect: 'manual',
    });
    expect([opened.status, opened.headers.get('location')]).toEqual([
      302,
      `${server.services.config.publicUrl}/explorer/watch?token=${token}`,
    ]);
    expect((await watches())[0]?.confirmed_at).toBeNull();
  });

  it('points to the app only while it is published', async () => {
    await ask();
    const token = linkOf((await mails())[0]!);
    const shown = async () => (await fetch(`${server.url}/explorer/watch?token=${token}`)).text();
    expect(await shown()).toContain(`href="/explorer/${app_id}"`);
    await publish(false);
    const unpublished = await shown();
    expect(unpublished).not.toContain(`/explorer/${app_id}`);
    expect(unpublished).toContain('currently published');
  });

  it('is refused if forged', async () => {
    await ask();
    const token = linkOf((await mails())[0]!);
    for (const forged of [`${token.slice(0, -1)}!`, token.replace('wtc_', 'wtc_0'), 'x', '\0'])
      for (const call of [confirm, end]) expect((await call(forged)).status).toBeGreaterThanOrEqual(400);
    expect(await watches()).toHaveLength(1);
  });
});

it('accepts a limited number of requests per hour and IP address', async () => {
  const strict = await startTestServer({ env: { TEEHOUSE_ROLE: 'web', WRITES_PER_MINUTE: '120' } });
  try {
    const statuses: number[] = [];
    for (let times = 0; times < 3; times++) {
      const path = { app_id: 'f'.repeat(40) };
      const body = { email: `visitor-${times}@example.test` };
      statuses.push((await strict.anonymous.call('watchPublicApp', { path, body })).status);
    }
    expect(statuses).toEqual([404, 404, 429]);
  } finally {
    await strict.stop();
  }
});
