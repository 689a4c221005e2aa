import { createTransport } from 'nodemailer';
import { mailAddress } from '../../domain/notifications/mail';
import { parseSmtpUrl } from '../../domain/notifications/mail/smtpUrl';
import { MailError, type MailDriver } from '.';

export interface SmtpOptions {
  /** Parsed SMTP_URL. */
  url: string;
  from: { name: string; address: string };
}

const CONNECT_MS = 10_000;
/**
 * Silence after which a server counts as unreachable. RFC 5321 §4.5.3.2 allows minutes, but the outbox retries
 * anyway.
 */
const SILENCE_MS = 30_000;

/** Sends mail over SMTP; keeps a few connections for further messages. */
export function createSmtpDriver({ url, from }: SmtpOptions): MailDriver {
  const server = parseSmtpUrl(url);
  const transport = createTransport({
    pool: true,
    maxConnections: 3,
    maxMessages: 50,
    // Retries once, if the server had closed an idle connection. Everything else is up to the outbox.
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
          // As an object: a string would be parsed as a list of addresses.
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          messageId: message_id,
          date,
          subject,
          text,
          html,
          textEncoding: 'quoted-printable',
          xMailer: false,
          // RFC 3834 §5, and Exchange's equivalent: no out-of-office replies.
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

/** nodemailer parses `a@x, b@y` as two recipients, even where it expects one. */
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
 * A 5xx for the recipient or the message itself is permanent (RFC 5321 §4.2.1). For the sign-in or sender address, it
 * is this server's configuration error: mail waits until an administrator fixes it.
 */
function mailError(error: unknown): MailError {
  const { message, command, responseCode, response } = error as SmtpFailure;
  const final =
    typeof responseCode === 'number' &&
    responseCode >= 500 &&
    (command === 'RCPT TO' || command === 'DATA') &&
    // Not the recipient's fault: the server requires encryption or a sign-in first.
    responseCode !== 530;
  const said = typeof response === 'string' ? response : String(message ?? error);
  return new MailError(said, final);
}
