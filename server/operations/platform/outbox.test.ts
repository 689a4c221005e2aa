import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../config';
import { withTransaction } from '../../db/core/client';
import { samples, TOKEN } from '../../domain/notifications/mail/testing/samples';
import { startMailServer, type MailServer } from '../../drivers/mail/testing/mailServer';
import { createLogger } from '../../log';
import { startServer, type RunningServer } from '../../main';
import { mailsTo } from '../../testing/mail';
import { eventually } from '../../testing/server';
import { problemOf, startAdminTest, type AdminTest } from '../core/admin/testing/admin';

let test: AdminTest;
beforeAll(async () => {
  // Only the second process, started below, runs jobs and has the mail server.
  test = await startAdminTest({ TEEHOUSE_ROLE: 'web' });
});
afterAll(() => test.server.stop());

async function write(to: string): Promise<number> {
  const { services } = test.server;
  await withTransaction(services.db, (trx) =>
    services.mail.enqueue(trx, { to, template: 'reset_password', data: samples().reset_password }),
  );
  const mail = await services.db
    .selectFrom('outbox')
    .select('id')
    .where('to', '=', to)
    .executeTakeFirstOrThrow();
  return mail.id;
}

describe('the outbox without a mail server', () => {
  it('lists mail without contents and searches by recipient', async () => {
    await write('ada@example.test');
    const reply = await test.admin.call('listAdminOutbox', {
      query: {
        filter: JSON.stringify({ q: 'ADA@', state: 'kept' }),
        sort: JSON.stringify(['created_at', 'DESC']),
      },
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-range')).toBe('outbox 0-0/1');
    expect(reply.body).toMatchObject([{ to: 'ada@example.test', state: 'kept', attempts: 0, text: null }]);
    expect(JSON.stringify(reply.body)).not.toContain(TOKEN);
  });

  it('shows one email with its link to a platform admin, and audits the read', async () => {
    const id = await write('bob@example.test');
    const reply = await test.admin.call('getAdminOutbox', { path: { id } });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ text: expect.stringContaining(`/reset-password/${TOKEN}`) });
    const [entry] = await test.audits('mail', id);
    expect(entry).toMatchObject({
      action: 'outbox.read',
      after: { to: 'bob@example.test', with_text: true },
    });
    expect(JSON.stringify(entry)).not.toContain(TOKEN);
    expect(await mailsTo(test.server.services, 'bob@example.test')).toMatchObject([{ token: TOKEN }]);
  });

  it('rejects members, anonymous callers and tokens', async () => {
    const id = await write('carl@example.test');
    const token = await test.token(['*'], test.admin.email);
    for (const client of [test.member, test.server.anonymous, token])
      for (const call of ['getAdminOutbox', 'retryAdminOutbox', 'listAdminOutbox'] as const) {
        const reply = await client.call(call, { path: { id } });
        expect([401, 403]).toContain(reply.status);
      }
    expect(await test.audits('mail', id)).toEqual([]);
  });

  it('rejects a retry without a mail server, and unknown mail', async () => {
    const id = await write('dora@example.test');
    const reply = await test.admin.call('retryAdminOutbox', { path: { id } });
    expect(reply.status).toBe(409);
    expect(problemOf(reply.body).detail.message).toContain('No mail server');
    expect((await test.admin.call('getAdminOutbox', { path: { id: 999_999 } })).status).toBe(404);
    expect((await test.admin.call('retryAdminOutbox', { path: { id: 999_999 } })).status).toBe(404);
  });
});

describe('the outbox with a mail server', () => {
  let smtp: MailServer;
  let second: RunningServer;
  beforeAll(async () => {
    smtp = await startMailServer();
    const { database, dataDir } = test.server;
    const config = loadConfig({
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      LOG_LEVEL: 'fatal',
      LOCAL_TEEPOD: 'off',
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Tea <tea@example.test>',
    });
    second = await startServer(config, createLogger('fatal'));
  });
  afterAll(async () => {
    await second.stop();
    await smtp.stop();
  });

  const retry = (id: number) =>
    fetch(`${second.address}/api/v1/admin/outbox/${id}/retry`, {
      method: 'POST',
      headers: { cookie: test.admin.cookie ?? '' },
    });
  const shown = async (id: number) => (await test.admin.call('getAdminOutbox', { path: { id } })).body;

  it('sends stored mail on retry and deletes its text', async () => {
    const id = await write('emil@example.test');
    expect((await retry(id)).status).toBe(200);
    await eventually(
      'the mail is sent',
      async () => 'state' in (await shown(id)) && smtp.received.length > 0,
    );
    expect(smtp.received[0]).toMatchObject({
      recipients: ['emil@example.test'],
      from: { name: 'Tea', address: 'tea@example.test' },
    });
    const mail = await eventually('the outbox shows it as sent', async () => {
      const body = await shown(id);
      return 'sent_at' in body && body.sent_at !== null && body;
    });
    expect(mail).toMatchObject({ state: 'sent', text: null, last_error: null, next_attempt_at: null });
    const again = await retry(id);
    expect(again.status).toBe(409);
    expect(JSON.stringify(await again.json())).toContain('no longer stored');
    expect((await test.audits('mail', id)).map(({ action }) => action)).toContain('outbox.retry');
  });

  it('sends new mail promptly, and shows the error of a failed one until it is retried', async () => {
    smtp.refuse.recipient = '550 no such user';
    await withTransaction(second.services.db, (trx) =>
      second.services.mail.enqueue(trx, {
        to: 'fay@example.test',
        template: 'verify_email',
        data: samples().verify_email,
      }),
    );
    const { id } = await second.services.db
      .selectFrom('outbox')
      .select('id')
      .where('to', '=', 'fay@example.test')
      .executeTakeFirstOrThrow();
    const failed = await eventually('the mail has failed', async () => {
      const body = await shown(id);
      return 'state' in body && body.state === 'failed' && body;
    });
    expect(failed).toMatchObject({ last_error: expect.stringContaining('550 no such user'), attempts: 1 });
    delete smtp.refuse.recipient;
    expect((await retry(id)).status).toBe(200);
    await eventually('the mail arrives', async () =>
      smtp.received.some(({ recipients }) => recipients[0] === 'fay@example.test'),
    );
  });
});
