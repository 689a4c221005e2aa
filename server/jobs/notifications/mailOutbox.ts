import { randomUUID } from 'node:crypto';
import type { Config } from '../../config';
import type { Tx } from '../../db/core/client';
import { insertMail } from '../../db/notifications/outbox';
import {
  mailAddress,
  renderMail,
  type Mail,
  type MailTemplate,
  type MailTemplates,
} from '../../domain/notifications/mail';
import type { Seal } from '../../domain/core/seal';
import type { JobQueue } from '../core/queue';

/** Purpose under which mail content is sealed. */
const PURPOSE = 'mail';

/** Where operations queue mail; the worker sends it. */
export interface MailOutbox {
  /**
   * Part of the caller's transaction: mail and rows are committed together. @throws when `to` is not one
   * plain address
   */
  enqueue(trx: Tx, mail: Mail): Promise<void>;
}

interface Parts {
  /** Name of this installation. */
  brand: string;
  config: Pick<Config, 'publicUrl' | 'smtpUrl' | 'mailFrom'>;
  seal: Seal;
  jobs: Pick<JobQueue, 'enqueueMail'>;
}

export function createMailOutbox({ brand, config, seal, jobs }: Parts): MailOutbox {
  const site = { brand, url: config.publicUrl };
  const domain = config.mailFrom.address.split('@').at(-1) ?? 'localhost';
  return {
    async enqueue(trx, { to, template, data, user_id = null, team_id = null }) {
      const { subject, ...content } = renderMail(template, data as MailTemplates[MailTemplate], site);
      const id = await insertMail(trx, {
        message_id: `<${randomUUID()}@${domain}>`,
        to: mailAddress(to),
        template,
        subject,
        sealed_content: sealContent(seal, content),
        state: config.smtpUrl === undefined ? 'kept' : 'queued',
        user_id,
        team_id,
      });
      await jobs.enqueueMail(trx, id);
    },
  };
}

export interface MailContent {
  text: string;
  html: string;
  unsubscribe_url?: string;
}

const sealContent = (seal: Seal, content: MailContent) => seal.seal(PURPOSE, JSON.stringify(content));

/** Null when it is deleted. @throws when it was sealed with another secret */
export const openContent = (seal: Seal, sealed_content: string | null): MailContent | null =>
  sealed_content === null ? null : (JSON.parse(seal.open(PURPOSE, sealed_content)) as MailContent);
