import { openContent } from '../jobs/notifications/mailOutbox';
import type { Services } from '../operations/types';

export interface WrittenMail {
  id: number;
  template: string;
  subject: string;
  state: string;
  text: string;
  html: string;
  /** Token of the mail's single-use link. */
  token: string | null;
}

/** Returns unsent mail to an address, oldest first. Without SMTP_URL, no mail is ever sent. */
export async function mailsTo(
  { db, seal }: Pick<Services, 'db' | 'seal'>,
  to: string,
): Promise<WrittenMail[]> {
  const rows = await db.selectFrom('outbox').selectAll().where('to', '=', to).orderBy('id').execute();
  return rows.flatMap(({ id, template, subject, state, sealed_content }) => {
    const content = openContent(seal, sealed_content);
    if (!content) return [];
    const token = /\bthk_[a-z]+_[0-9A-Za-z]+/.exec(content.text)?.[0] ?? null;
    return [{ id, template, subject, state, ...content, token }];
  });
}
