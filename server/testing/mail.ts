import { openContent } from '../jobs/mailOutbox';
import type { Services } from '../operations/types';

export interface WrittenMail {
  id: number;
  template: string;
  subject: string;
  state: string;
  text: string;
  html: string;
  /** Of the single-use link in it. */
  token: string | null;
}

/** What was written to somebody and not sent, oldest first. Without SMTP_URL that is everything. */
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
