import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSmtpDriver } from './smtp';
import { startMailServer, type MailServer } from './testing/mailServer';
import { MailError, type MailDriver, type OutgoingMail } from '.';

const opened: { stop?(): Promise<void>; close?(): void }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) {
    one.close?.();
    await one.stop?.();
  }
});

async function serve(options?: Parameters<typeof startMailServer>[0]): Promise<MailServer> {
  const server = await startMailServer(options);
  opened.push(server);
  return server;
}
function drive(url: string): MailDriver {
  const driver = createSmtpDriver({ url, from: { name: 'Teehouse', address: 'no-reply@example.test' } });
  opened.push(driver);
  return driver;
}

const mail: OutgoingMail = {
  message_id: '<one@example.test>',
  date: new Date('2026-11-21T08:30:00Z'),
  to: 'ada@example.test',
  subject: 'Grüße an “茶” — ganz lang, damit die Kopfzeile gefaltet werden muss, wie es sich gehört',
  text: 'Grüße 茶\n.\nhttps://cloud.example.test/invite/thk_lnk_0123456789012345678901234567890123456789\n',
  html: '<p>Grüße 茶</p>',
};
const signal = new AbortController().signal;
const refusal = (driver: MailDriver, more: Partial<OutgoingMail> = {}) =>
  driver.send({ ...mail, ...more }, { signal }).then(
    () => undefined,
    (error: unknown) => (error instanceof MailError ? error : undefined),
  );

describe('SMTP', () => {
  it('delivers both parts with the headers of automated mail', async () => {
    const server = await serve();
    await drive(server.url).send(mail, { signal });
    const [got] = server.received;
    expect(got).toMatchObject({
      messageId: '<one@example.test>',
      subject: mail.subject,
      from: { name: 'Teehouse', address: 'no-reply@example.test' },
      to: [{ address: 'ada@example.test' }],
      recipients: ['ada@example.test'],
      date: '2026-11-21T08:30:00.000Z',
      attachments: [],
    });
    expect(got?.text?.trim()).toBe(mail.text.trim());
    expect(got?.html?.trim()).toBe(mail.html);
    const header = (key: string) => got?.headers.find((one) => one.key === key)?.value;
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(header('content-type')).toContain('multipart/alternative');
    expect(header('x-mailer')).toBeUndefined();
    // RFC 5322 §2.1.1
    for (const line of got?.raw.split('\r\n') ?? []) expect(line.length).toBeLessThanOrEqual(998);
  });

  it('offers one-click unsubscribe where available (RFC 8058)', async () => {
    const server = await serve();
    const unsubscribe_url = `https://cloud.example.test/api/v1/notifications/unsubscribe?token=usr_${'a'.repeat(120)}`;
    const driver = drive(server.url);
    await driver.send({ ...mail, unsubscribe_url }, { signal });
    await driver.send(mail, { signal });
    const headers = server.received.map((one) =>
      ['list-unsubscribe', 'list-unsubscribe-post'].map((key) =>
        one.headers.find((header) => header.key === key)?.value.replaceAll(/\s/g, ''),
      ),
    );
    expect(headers).toEqual([
      [`<${unsubscribe_url}>`, 'List-Unsubscribe=One-Click'],
      [undefined, undefined],
    ]);
  });

  it('lets no value start a header or add a recipient', async () => {
    const server = await serve();
    const driver = drive(server.url);
    const evil = 'x\r\nBcc: eve@evil.test\r\nX-Evil: 1\r\n\r\nbody';
    for (const more of [
      { subject: evil },
      { to: `ada@example.test\r\nBcc: eve@evil.test` },
      { to: 'ada@example.test, eve@evil.test' },
      { to: 'ada@example.test>\r\nRCPT TO:<eve@evil.test' },
      { message_id: `<a@b>\r\nBcc: eve@evil.test` },
    ])
      await driver.send({ ...mail, ...more }, { signal }).catch(() => undefined);
    for (const got of server.received) {
      expect(got.recipients).toHaveLength(1);
      expect(got.bcc ?? []).toEqual([]);
      expect(got.headers.map(({ key }) => key)).not.toContain('x-evil');
      expect(got.recipients[0]).not.toBe('eve@evil.test');
    }
    expect(server.received.length).toBeGreaterThan(0);
  });

  it('encrypts if the server supports it, and signs in', async () => {
    const server = await serve({
      authOptional: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'me' && password === 'p@ss word'
          ? done(null, { user: 'me' })
          : done(Object.assign(new Error('no'), { responseCode: 535 })),
    });
    const at = (password: string) => `smtp://me:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;
    await drive(at('p@ss word')).send(mail, { signal });
    expect(server.received[0]?.secure).toBe(true);
    // An administrator can fix that, and the mail must still go out afterward.
    const wrong = await refusal(drive(at('hunter22')));
    expect(wrong).toMatchObject({ permanent: false });
    expect(wrong?.message).toContain('535');
    expect(wrong?.message).not.toContain('hunter22');
    const none = await refusal(drive(server.url));
    expect(none).toMatchObject({ permanent: false });
  });

  it('sends nothing in plaintext to a remote server unless configured to', async () => {
    const server = await serve({ disabledCommands: ['STARTTLS'] });
    // Another name of this machine, which counts as remote.
    expect(await refusal(drive(`smtp://127.1:${server.port}`))).toMatchObject({ permanent: false });
    expect(server.received).toEqual([]);
    await drive(`smtp://127.1:${server.port}?tls=off`).send(mail, { signal });
    expect(server.received).toHaveLength(1);
  });

  it.each([
    ['550 no such user', undefined, true],
    ['451 greylisted', undefined, false],
    [undefined, '554 looks like spam', true],
    [undefined, '452 disk full', false],
  ])('distinguishes permanent from temporary rejections: %s %s', async (recipient, message, permanent) => {
    const server = await serve();
    if (recipient) server.refuse.recipient = recipient;
    if (message) server.refuse.message = () => message;
    const error = await refusal(drive(server.url));
    expect(error).toMatchObject({ permanent });
    expect(error?.message).toContain((recipient ?? message)?.slice(4));
  });

  it('gives up on a missing or silent server', async () => {
    expect(await refusal(drive('smtp://127.0.0.1:1'))).toMatchObject({ permanent: false });
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', () => resolve()));
    const driver = drive(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    await expect(driver.send(mail, { signal: AbortSignal.timeout(200) })).rejects.toBeInstanceOf(MailError);
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});
