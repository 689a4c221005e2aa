import type { Logger } from 'pino';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { Db } from '../../db/core/client';
import {
  claimMail,
  dueMail,
  findMail,
  finishMail,
  keepQueuedMail,
  mailLeases,
  type MailOutcome,
  type OutboxRow,
} from '../../db/notifications/outbox';
import type { Seal } from '../../domain/core/seal';
import { MailError, type MailDriver } from '../../drivers/mail';
import { openContent, type MailContent } from './mailOutbox';
import { createInProgress } from '../core/inProgress';
import { deadExcept } from '../core/workerId';

/** Waits between attempts, in seconds: 1 min, 5 min, 30 min, 2 h, 6 h. After that an email has failed. */
export const RETRY_SECONDS = [60, 300, 1_800, 7_200, 21_600];

/** Time limit of one attempt; shorter than its lease. */
const ATTEMPT_MS = 90_000;
/** Time for sending to finish when the process drains. */
const GRACE_MS = 5_000;
const MAX_CONCURRENT = 6;
const MAX_ERROR = 500;

export interface MailSenderOptions {
  db: Db;
  seal: Seal;
  /** Null: no mail server is configured. */
  driver: MailDriver | null;
  log: Logger;
  /** Names this process in leases. */
  owner: string;
}

export interface MailSender {
  /** Wakes the sender for a new mail. */
  wake(id: number): Promise<void>;
  /** Starts all due work: missed wake-ups, retries, or mail left by a worker that died. */
  sweep(): Promise<void>;
  stop(): Promise<void>;
}

/** Sends the outbox. Any number of processes may run it: only the holder of a row's lease sends it. */
export function createMailSender({ db, seal, driver, log, owner }: MailSenderOptions): MailSender {
  const sending = createInProgress(GRACE_MS);

  const begin = (id: number, with_: MailDriver) => {
    if (sending.size >= MAX_CONCURRENT || sending.stopping.aborted) return;
    sending.add(attempt(id, with_), (error) =>
      log.error({ err: error, mail: id }, 'failed to process an email'),
    );
  };

  async function attempt(id: number, with_: MailDriver): Promise<void> {
    const mail = await claimMail(db, id, owner);
    if (!mail) return;
    const outcome = await tried(mail, with_);
    await finishMail(db, mail, outcome);
    // Without the address and content: logs are less private than mail.
    const about = { mail: id, template: mail.template, attempts: mail.attempts };
    if (outcome.state === 'sent') log.info(about, 'mail sent');
    else if (outcome.state === 'failed') log.error({ ...about, reason: outcome.last_error }, 'mail failed');
    else log.warn({ ...about, reason: outcome.last_error }, 'mail not sent; retrying');
  }

  async function tried(mail: OutboxRow, with_: MailDriver): Promise<MailOutcome> {
    let content: MailContent | null = null;
    try {
      content = openContent(seal, mail.sealed_content);
    } catch {
      // Reported below; the cipher's error message helps nobody.
    }
    if (!content)
      return {
        state: 'failed',
        last_error: 'Its content can’t be decrypted: it was encrypted with another secret.',
      };
    const { message_id, created_at: date, to, subject } = mail;
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(ATTEMPT_MS), sending.cut]);
      await with_.send({ message_id, date, to, subject, ...content }, { signal });
      return { state: 'sent' };
    } catch (error) {
      return failure(error, mail.attempts, sending.cut.aborted);
    }
  }

  return {
    async wake(id) {
      if (driver) return begin(id, driver);
      const mail = await findMail(db, id);
      if (mail?.state === 'kept')
        log.info(
          { mail: id, template: mail.template },
          `no SMTP_URL: read it with \`teehouse outbox show ${id}\``,
        );
    },
    async sweep() {
      if (sending.stopping.aborted) return;
      await mailLeases.releaseHeldBy(db, deadExcept(owner));
      if (!driver) return keepQueuedMail(db);
      for (const id of await dueMail(db, MAX_CONCURRENT * 4)) begin(id, driver);
    },
    async stop() {
      await sending.stop();
      driver?.close();
    },
  };
}

function failure(error: unknown, attempts: number, stopped: boolean): MailOutcome {
  const text = error instanceof Error ? error.message : String(error);
  const last_error = safe(text);
  if (error instanceof MailError && error.permanent) return { state: 'failed', last_error };
  if (stopped) return { state: 'queued', after_seconds: 0, last_error };
  const after_seconds = RETRY_SECONDS[attempts - 1];
  return after_seconds === undefined
    ? { state: 'failed', last_error }
    : { state: 'queued', after_seconds, last_error };
}

/** A mail server's response may quote the message, whose links only its recipient may see. */
const safe = (text: string) =>
  cutWhole(
    text
      .replaceAll(/\bthk_[a-z]+_[0-9A-Za-z]+/g, '[link]')
      .replaceAll(/[\p{C}\s]+/gu, ' ')
      .trim(),
    MAX_ERROR,
  );
