import { loadSeal } from '../loadSeal';
import { findMail, listMail } from '../db/notifications/outbox';
import { openContent, type MailContent } from '../jobs/notifications/mailOutbox';
import { audit, withDatabase } from './database';
import { CommandError, UsageError, type Cli } from './io';
import { parseOptions } from './options';
import { shortTime, tableLines } from './table';

const MAX_LISTED = 1_000;

/** Shows outgoing mail to the operator: without a mail server, its links are available nowhere else. */
export async function outboxCommand(cli: Cli, [action, ...args]: string[]): Promise<void> {
  if (action === 'list') return list(cli, args);
  if (action === 'show') return show(cli, args);
  throw new UsageError(action ? `There is no “outbox ${action}”.` : 'Use outbox list or outbox show.');
}

async function list(cli: Cli, args: string[]): Promise<void> {
  parseOptions(args, {});
  await withDatabase(cli, 'outbox list', async ({ db }) => {
    const mails = await listMail(db, MAX_LISTED);
    const rows = mails.map((mail) => [
      String(mail.id),
      shortTime(mail.created_at),
      mail.state,
      mail.to,
      mail.subject,
      mail.last_error ?? '',
    ]);
    for (const line of tableLines(['ID', 'WRITTEN', 'STATE', 'TO', 'SUBJECT', 'LAST ERROR'], rows))
      cli.out(line);
    if (mails.length === MAX_LISTED) cli.err(`Only the newest ${MAX_LISTED} are shown.`);
  });
}

async function show(cli: Cli, [id, ...args]: string[]): Promise<void> {
  parseOptions(args, {});
  if (id === undefined || !/^\d{1,15}$/.test(id))
    throw new UsageError('Specify an email ID from `outbox list`.');
  await withDatabase(cli, 'outbox show', async ({ config, db }) => {
    const mail = await findMail(db, Number(id));
    if (!mail) throw new CommandError(`There is no email ${id}. See \`outbox list\`.`);
    const seal = await loadSeal(config);
    let content: MailContent | null;
    try {
      content = openContent(seal, mail.sealed_content);
    } catch {
      throw new CommandError(
        "This email was encrypted with another secret. Use the server's DATA_DIR or TEEHOUSE_SECRET.",
      );
    }
    if (!content)
      throw new CommandError(
        mail.sent_at
          ? `Sent at ${shortTime(mail.sent_at)} UTC; its text is no longer stored.`
          : 'Its text is no longer stored.',
      );
    // Audited, because anyone who reads a link can use it.
    await audit(db, {
      action: 'outbox.read',
      target_kind: 'mail',
      target_id: String(mail.id),
      after: { to: mail.to, template: mail.template, with_text: true },
    });
    cli.out(`To: ${mail.to}`);
    cli.out(`Subject: ${mail.subject}`);
    cli.out('');
    for (const line of content.text.trimEnd().split('\n')) cli.out(line);
  });
}
