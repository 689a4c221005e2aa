/** One message, ready to go. `message_id` and `date` are those of the outbox row, whichever attempt this is. */
export interface OutgoingMail {
  /** `<…@…>`. The same in every attempt, so that a message sent twice is recognised as one. */
  message_id: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Where the reader's mail program ends such mail with one POST (RFC 8058). */
  unsubscribe_url?: string;
}

/** Hands messages to a mail server. */
export interface MailDriver {
  /** Resolves when the server has taken responsibility (RFC 5321 §4.2.5). @throws MailError */
  send(mail: OutgoingMail, options: { signal: AbortSignal }): Promise<void>;
  /** Connects, encrypts and signs in as `send` would. @throws MailError */
  verify(): Promise<void>;
  close(): void;
}

export class MailError extends Error {
  constructor(
    message: string,
    /** The server refused this recipient or this message for good: asking again would be answered the same. */
    readonly permanent: boolean,
  ) {
    super(message);
    this.name = 'MailError';
  }
}
