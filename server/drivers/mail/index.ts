/** One message, ready to send. `message_id` and `date` come from the outbox row and are the same in every attempt. */
export interface OutgoingMail {
  /** `<…@…>`. Constant across attempts, so that a message sent twice is recognized as one. */
  message_id: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where the reader's mail program unsubscribes with one POST (RFC 8058). */
  unsubscribe_url?: string;
}

/** Hands messages to a mail server. */
export interface MailDriver {
  /** Resolves when the server has accepted responsibility (RFC 5321 §4.2.5). @throws MailError */
  send(mail: OutgoingMail, options: { signal: AbortSignal }): Promise<void>;
  /** Connects, encrypts and signs in as `send` would. @throws MailError */
  verify(): Promise<void>;
  close(): void;
}

export class MailError extends Error {
  constructor(
    message: string,
    /** The server permanently rejected this recipient or message: retrying would fail again. */
    readonly permanent: boolean,
  ) {
    super(message);
    this.name = 'MailError';
  }
}
