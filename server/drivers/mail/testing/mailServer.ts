import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

interface ReceivedMail extends Email {
  recipients: string[];
  /** As sent over the wire. */
  raw: string;
  secure: boolean;
}

export interface MailServer {
  port: number;
  /** As SMTP_URL expects it. */
  url: string;
  received: ReceivedMail[];
  /** Reply to a recipient or message instead of accepting it: `550 no such user`. */
  refuse: { recipient?: string; message?: (raw: string) => string };
  stop(): Promise<void>;
}

/** A real SMTP server that stores parsed messages. */
export async function startMailServer(
  options: SMTPServerOptions & { port?: number } = {},
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const refuse: MailServer['refuse'] = {};
  const take = callbackify(async (raw: string, { envelope, secure }: SMTPServerSession) => {
    if (refuse.message) throw answer(refuse.message(raw));
    const recipients = envelope.rcptTo.map(({ address }) => address);
    received.push({ ...(await PostalMime.parse(raw)), recipients, raw, secure: secure === true });
  });
  const server = new SMTPServer({
    authOptional: true,
    // Drivers keep connections for further messages.
    closeTimeout: 100,
    onRcptTo(_address, _session, done) {
      done(refuse.recipient === undefined ? null : answer(refuse.recipient));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => take(Buffer.concat(chunks).toString('utf8'), session, (error) => done(error)));
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuse,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function answer(text: string): Error {
  const [code = '', ...words] = text.split(' ');
  return Object.assign(new Error(words.join(' ')), { responseCode: Number(code) });
}
