import { createTransport } from 'nodemailer';
import { mailAddress } from '../../domain/mail';
import { parseSmtpUrl } from '../../domain/mail/smtpUrl';
import { MailError, type MailDriver } from '.';

export interface SmtpOptions {
  /** As SMTP_URL. */
  url: string;
  from: { name: string; address: string };
}

const CONNECT_MS = 10_000;
/** Silence after which a server counts as gone. RFC 5321 §4.5.3.2 allows it minutes; the outbox asks again anyway. */
const SILENCE_MS = 30_000;

/** Mail over SMTP: a few connections, kept for the next message. */
export function createSmtpDriver({ url, from }: SmtpOptions): MailDriver {
  const server = parseSmtpUrl(url);
  const transport = createTransport({
    pool: true,
    maxConnections: 3,
    maxMessages: 50,
    // Once, for a connection the server had closed while it was idle. Everything else is the outbox's to decide.
    maxRequeues: 1,
    idleTimeout: 30_000,
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: server.tls === 'required',
    ignoreTLS: server.tls === 'off',
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: !server.loopback },
    ...(server.user === undefined ? {} : { auth: { user: server.user, pass: server.password ?? '' } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  });
  return {
    async send({ message_id, date, to, subject, text, html, unsubscribe_url }, { signal }) {
      checkRecipient(to);
      await transport
        .sendMail({
          from,
          // As an object: a string would be read as a list of addresses.
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          messageId: message_id,
          date,
          subject,
          text,
          html,
          textEncoding: 'quoted-printable',
          xMailer: false,
          // RFC 3834 §5, and what Exchange understands instead: no out-of-office replies.
          headers: {
            'Auto-Submitted': 'auto-generated',
            'X-Auto-Response-Suppress': 'All',
            ...(unsubscribe_url === undefined
              ? {}
              : {
                  'List-Unsubscribe': { prepared: true, value: `<${unsubscribe_url}>` },
                  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
                }),
          },
          signal,
        })
        .catch((error: unknown) => {
          throw mailError(error);
        });
    },
    async verify() {
      await transport.verify().catch((error: unknown) => {
        throw mailError(error);
      });
    },
    close: () => transport.close(),
  };
}

/** nodemailer reads `a@x, b@y` as two recipients, even where it asked for one. */
function checkRecipient(to: string): void {
  try {
    mailAddress(to);
  } catch (error) {
    throw new MailError(error instanceof Error ? error.message : String(error), true);
  }
}

interface SmtpFailure {
  message?: unknown;
  command?: unknown;
  responseCode?: unknown;
  response?: unknown;
}

/**
 * A 5xx to the recipient or to the message itself is final (RFC 5321 §4.2.1). One to signing in or to the sender's
 * address is a mistake of this server's configuration: mail waits until somebody has put it right.
 */
function mailError(error: unknown): MailError {
  const { message, command, responseCode, response } = error as SmtpFailure;
  const final =
    typeof responseCode === 'number' &&
    responseCode >= 500 &&
    (command === 'RCPT TO' || command === 'DATA') &&
    // Not the recipient's fault: the server wants encryption or a sign-in first.
    responseCode !== 530;
  const said = typeof response === 'string' ? response : String(message ?? error);
  return new MailError(said, final);
}
