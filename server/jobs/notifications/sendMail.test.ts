import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { withTransaction } from '../../db/core/client';
import type { OutboxRow } from '../../db/notifications/outbox';
import type { Mail, MailTemplate } from '../../domain/notifications/mail';
import { samples, TOKEN } from '../../domain/notifications/mail/testing/samples';
import { createSeal } from '../../domain/core/seal';
import type { MailDriver } from '../../drivers/mail';
import { createSmtpDriver } from '../../drivers/mail/smtp';
import { startMailServer, type MailServer } from '../../drivers/mail/testing/mailServer';
import { createLogger } from '../../log';
import { createTestDatabase, type TestDatabase } from '../../testing/database';
import { createMailOutbox } from './mailOutbox';
import { createMailSender, RETRY_SECONDS, type MailSender } from './sendMail';
import { newWorkerId } from '../core/workerId';

const FROM = { name: 'Teehouse', address: 'no-reply@cloud.example.test' };
const seal = createSeal(Buffer.from('s'.repeat(40)));
const logged: string[] = [];
const log = createLogger(
  'trace',
  new Writable({ write: (line: Buffer, _encoding, done) => (logged.push(line.toString()), done()) }),
);

let database: TestDatabase;
let smtp: MailServer;
const senders: MailSender[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  smtp = await startMailServer();
});
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.stop();
  await database.db.deleteFrom('outbox').execute();
  smtp.received.length = 0;
  smtp.refuse = Object.assign(smtp.refuse, { recipient: undefined, message: undefined });
  logged.length = 0;
});
afterAll(async () => {
  await smtp.stop();
  await database.drop();
});

const outbox = (smtpUrl: string | undefined = smtp.url) =>
  createMailOutbox({
    brand: 'Teehouse',
    config: { publicUrl: 'https://cloud.example.test', smtpUrl, mailFrom: FROM },
    seal,
    // No wake-ups here: the sweep must find it.
    jobs: { enqueueMail: async () => undefined },
  });
const mailOf = (template: MailTemplate, to = 'ada@example.test', name?: string) =>
  ({ to, template, data: samples(name)[template] }) as Mail;
async function write(mail: Mail, smtpUrl?: string): Promise<number> {
  await withTransaction(database.db, (trx) => outbox(smtpUrl).enqueue(trx, mail));
  const { id } = await database.db
    .selectFrom('outbox')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return id;
}
const driverTo = (url: string) => createSmtpDriver({ url, from: FROM });
function sender(
  driver: MailDriver | null = driverTo(smtp.url),
  owner = newWorkerId(),
  secret = seal,
): MailSender {
  const made = createMailSender({ db: database.db, seal: secret, driver, log, owner });
  senders.push(made);
  return made;
}
const row = (id: number): Promise<OutboxRow> =>
  database.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Sweeps until the row is in the expected state. */
async function until(one: MailSender, id: number, is: (mail: OutboxRow) => boolean): Promise<OutboxRow> {
  const end = Date.now() + 50_000;
  for (;;) {
    await one.sweep();
    const mail = await row(id);
    if (is(mail)) return mail;
    if (Date.now() > end) throw new Error(`mail ${id} is still ${mail.state}: ${mail.last_error}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const makeDue = (id: number) =>
  database.db
    .updateTable('outbox')
    .set({ next_attempt_at: sql`now()` })
    .where('id', '=', id)
    .execute();

describe('the outbox', () => {
  it('delivers every template, both parts, with names in any script', async () => {
    const one = sender();
    const templates = Object.keys(samples()) as MailTemplate[];
    for (const template of templates) {
      const id = await write(mailOf(template, `${template}@example.test`, 'Æsir ☕ 茶 עברית'));
      const sent = await until(one, id, ({ state }) => state === 'sent');
      // Its content is deleted with it.
      expect(sent).toMatchObject({ sealed_content: null, attempts: 1, last_error: null, lease_owner: null });
      expect(sent.sent_at).toBeInstanceOf(Date);
      const got = smtp.received.find(({ recipients }) => recipients[0] === `${template}@example.test`);
      expect(got, template).toMatchObject({ subject: sent.subject, messageId: sent.message_id });
      expect(got?.text).toContain('https://cloud.example.test');
      expect(got?.html).toContain('prefers-color-scheme');
    }
    expect(smtp.received).toHaveLength(templates.length);
    expect(smtp.received.map(({ text }) => text).join()).toContain('Æsir ☕ 茶 עברית');
    expect(logged.join('')).toContain('mail sent');
    expect(logged.join('')).not.toContain(TOKEN);
  });

  it('is part of the transaction, and refuses anything but a single address', async () => {
    await expect(
      withTransaction(database.db, async (trx) => {
        await outbox().enqueue(trx, mailOf('verify_email'));
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await expect(write(mailOf('verify_email', 'ada@example.test\r\nBcc: eve@evil.test'))).rejects.toThrow(
      'not a single email address',
    );
    expect(await database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
  });

  it('lets no name become a header or a recipient', async () => {
    const name = 'Acme\r\nBcc: eve@evil.test\r\n\r\nhello';
    const id = await write(mailOf('invitation', 'bob@example.test', name));
    await until(sender(), id, ({ state }) => state === 'sent');
    const [got] = smtp.received;
    expect(got?.recipients).toEqual(['bob@example.test']);
    expect(got?.bcc ?? []).toEqual([]);
    expect(got?.subject).toContain('Acme Bcc');
    expect(got?.headers.filter(({ key }) => key === 'bcc')).toEqual([]);
  });

  it('retries while the server is down, with growing delays, and finally fails', async () => {
    const down = await startMailServer();
    const one = sender(driverTo(down.url));
    const id = await write(mailOf('reset_password'));
    await down.stop();
    for (const [index, seconds] of RETRY_SECONDS.entries()) {
      const mail = await until(
        one,
        id,
        ({ state, attempts }) => state === 'queued' && attempts === index + 1,
      );
      const wait = (Number(mail.next_attempt_at) - Date.now()) / 1000;
      expect(wait).toBeGreaterThan(seconds - 10);
      expect(wait).toBeLessThanOrEqual(seconds + 1);
      expect(mail.last_error).toMatch(/ECONNREFUSED/);
      if (index === 1) {
        // Not due: nothing happens.
        await one.sweep();
        expect((await row(id)).attempts).toBe(2);
      }
      await makeDue(id);
    }
    const failed = await until(one, id, ({ state }) => state === 'failed');
    expect(failed).toMatchObject({ attempts: RETRY_SECONDS.length + 1, next_attempt_at: null });
    // An administrator may still send it.
    expect(failed.sealed_content).not.toBeNull();
  });

  it('arrives once the server is back, with its original Message-ID', async () => {
    const down = await startMailServer();
    const one = sender(driverTo(down.url));
    const id = await write(mailOf('reset_password'));
    await down.stop();
    const { message_id } = await until(
      one,
      id,
      ({ attempts, state }) => attempts === 1 && state === 'queued',
    );
    const back = await startMailServer({ port: down.port });
    try {
      await makeDue(id);
      expect(await until(one, id, ({ state }) => state === 'sent')).toMatchObject({
        last_error: null,
        attempts: 2,
      });
      expect(back.received.map(({ messageId }) => messageId)).toEqual([message_id]);
    } finally {
      await back.stop();
    }
  });

  it('fails immediately when the recipient does not exist, with the server’s message', async () => {
    smtp.refuse.recipient = '550 5.1.1 no such user here';
    const id = await write(mailOf('invitation'));
    const failed = await until(sender(), id, ({ state }) => state === 'failed');
    expect(failed).toMatchObject({ attempts: 1, next_attempt_at: null });
    expect(failed.last_error).toContain('550 5.1.1 no such user here');
  });

  it('keeps links out of logs and errors, even when the server quotes the message', async () => {
    smtp.refuse.message = (raw) =>
      `451 suspicious: ${raw.replaceAll('=\r\n', '').replaceAll(/\s+/g, ' ').slice(-1500)}`;
    const id = await write(mailOf('reset_password'));
    const mail = await until(sender(), id, ({ last_error }) => last_error !== null);
    expect(mail.last_error).toContain('suspicious');
    expect(JSON.stringify(mail) + logged.join('')).not.toContain(TOKEN.slice(8));
  });

  it('sends each email once, no matter how many processes there are', async () => {
    // On three machines: on one machine, a process would consider the others dead, because all have its process
    // ID.
    const all = ['a-1-x', 'b-1-x', 'c-1-x'].map((owner) => sender(driverTo(smtp.url), owner));
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => write(mailOf('password_changed', `p${index}@example.test`))),
    );
    for (const id of ids)
      await until(
        { ...all[0]!, sweep: async () => void (await Promise.all(all.map((one) => one.sweep()))) },
        id,
        ({ state }) => state === 'sent',
      );
    expect(smtp.received).toHaveLength(12);
    expect(new Set(smtp.received.map(({ recipients }) => recipients[0])).size).toBe(12);
  });

  it('continues where a killed process stopped, with at most a second copy of the same message', async () => {
    const real = driverTo(smtp.url);
    // The server has the message; the process dies before recording that.
    const dying: MailDriver = {
      ...real,
      async send(mail, options) {
        await real.send(mail, options);
        await new Promise((_, reject) =>
          options.signal.addEventListener('abort', () => reject(new Error('killed'))),
        );
      },
    };
    const [machine] = newWorkerId().split('-');
    const killed = sender(dying, `${machine}-999999999-killed`);
    const id = await write(mailOf('verify_email'));
    await killed.sweep();
    await expect.poll(() => smtp.received.length).toBeGreaterThan(0);
    expect((await row(id)).state).toBe('sending');
    const { attempts } = await until(sender(), id, ({ state }) => state === 'sent');
    expect(attempts).toBe(2);
    expect(smtp.received).toHaveLength(2);
    expect(new Set(smtp.received.map(({ messageId }) => messageId)).size).toBe(1);
    expect(new Set(smtp.received.map(({ date }) => date)).size).toBe(1);
    // Even if it was only slow, its late result no longer counts.
    await killed.stop();
    expect((await row(id)).state).toBe('sent');
  });

  it('takes over after the lease when the other machine is unreachable', async () => {
    const id = await write(mailOf('verify_email'));
    await database.db
      .updateTable('outbox')
      .set({
        state: 'sending',
        next_attempt_at: null,
        lease_owner: 'elsewhere-1-x',
        lease_until: sql`now() + interval '1 minute'`,
      })
      .where('id', '=', id)
      .execute();
    const one = sender();
    await one.sweep();
    expect((await row(id)).lease_owner).toBe('elsewhere-1-x');
    await database.db
      .updateTable('outbox')
      .set({ lease_until: sql`now() - interval '1 second'` })
      .execute();
    await until(one, id, ({ state }) => state === 'sent');
  });

  it('reports mail sealed with another secret', async () => {
    const id = await write(mailOf('verify_email'));
    const failed = await until(
      sender(driverTo(smtp.url), newWorkerId(), createSeal(Buffer.from('another'))),
      id,
      ({ state }) => state === 'failed',
    );
    expect(failed.last_error).toContain('another secret');
    expect(smtp.received).toEqual([]);
  });

  it('leaves queued mail to workers that have a mail server, and keeps it if there are none', async () => {
    const sent = await write(mailOf('verify_email'));
    await sender(null).sweep();
    await sender(null).wake(sent);
    await until(sender(), sent, ({ state }) => state === 'sent');
    const kept = await write(mailOf('verify_email'));
    await database.db
      .updateTable('outbox')
      .set({ next_attempt_at: sql`now() - interval '16 minutes'` })
      .where('id', '=', kept)
      .execute();
    await sender(null).sweep();
    expect(await row(kept)).toMatchObject({ state: 'kept', next_attempt_at: null });
  });
});
