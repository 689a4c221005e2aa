import { sql } from 'kysely';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { acknowledge, bringUpToDate } from '../../db/platform/alerts';
import { appendAudit } from '../../db/audit/auditLog';
import { addAnswer, cvmsByTeam, cvmsOfTeam, findChat, fleetFigures, takeCode } from '../../db/platform/chat';
import type { Tx } from '../../db/core/client';
import type { ChatRow } from '../../db/platform/chatsTable';
import { chatCodeHash, HELP, parseCommand, type ChatCommand } from '../../domain/platform/chatCommands';
import type { ChatUpdate } from '../../drivers/chat';
import type { AdminAlertKind } from '../../../generated/api/types.gen';
import { zAdminAlertKind } from '../../../generated/api/zod.gen';

const MAX_LINES = 30;
const ALL_KINDS: AdminAlertKind[] = [...zAdminAlertKind.options];

/**
 * Runs a chat command and queues its answer, in the transaction that records the update as read, so each is
 * processed exactly once. @returns false when the chat is not linked, and may only get linking instructions
 */
export async function answerUpdate(
  trx: Tx,
  service: string,
  message: NonNullable<ChatUpdate['message']>,
): Promise<boolean> {
  const command = parseCommand(message.text);
  const known = await findChat(trx, service, message.chat_ref);
  if (command.kind === 'link') {
    const linked = await link(trx, service, message, command.code);
    if (linked) await addAnswer(trx, linked.id, `Linked. This chat receives alerts.\n${HELP}`);
    else if (known) await addAnswer(trx, known.id, 'This code is unknown or has expired.');
    return linked !== undefined || known !== undefined;
  }
  if (!known || known.state !== 'linked') return false;
  // In a group, not every message is for the bot.
  if (command.kind === 'unknown' && known.kind !== 'person') return true;
  await addAnswer(trx, known.id, await answerTo(trx, command, { chat: known, from: message.from }));
  return true;
}

async function link(
  trx: Tx,
  service: string,
  { chat_ref, title, kind }: NonNullable<ChatUpdate['message']>,
  code: string,
): Promise<ChatRow | undefined> {
  const taken = await takeCode(trx, service, chatCodeHash(code));
  if (!taken) return undefined;
  const linked = { title, kind, state: 'linked' as const, linked_by: taken.created_by, last_error: null };
  const chat = await trx
    .insertInto('chats')
    .values({ service, chat_ref, alerts: ALL_KINDS, ...linked })
    .onConflict((conflict) =>
      conflict.columns(['service', 'chat_ref']).doUpdateSet({ ...linked, linked_at: sql`now()` }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  await appendAudit(trx, [
    {
      actor_kind: 'user',
      actor_user_id: taken.created_by,
      action: 'chat.link',
      target_kind: 'chat',
      target_id: String(chat.id),
      after: { title, kind },
    },
  ]);
  return chat;
}

/** The caller: a linked chat, and the user name the service reports, which anyone can choose. */
interface Asker {
  chat: ChatRow;
  from: string;
}

async function answerTo(trx: Tx, command: ChatCommand, asker: Asker): Promise<string> {
  switch (command.kind) {
    case 'status':
      return status(trx);
    case 'cvms':
      return command.team === null ? allTeams(trx) : oneTeam(trx, command.team);
    case 'ack':
      return ack(trx, command.id, asker);
    case 'help':
      return HELP;
    default:
      return `Unknown command. Available commands:\n${HELP}`;
  }
}

async function status(trx: Tx): Promise<string> {
  const now = await fleetFigures(trx);
  const alerts = now.alerts.map(
    ({ id, title, acknowledged }) => `#${id} ${title}${acknowledged ? ' (acknowledged)' : ''}`,
  );
  return [
    `Hosts: ${now.hosts_answer} of ${now.hosts} responding`,
    `CVMs: ${now.cvms_running} of ${now.cvms} running`,
    `Operations in progress: ${now.operations}`,
    `Mail waiting: ${now.waiting}`,
    alerts.length === 0 ? 'No open alerts.' : `Open alerts:\n${alerts.join('\n')}`,
  ].join('\n');
}

async function allTeams(trx: Tx): Promise<string> {
  const teams = await cvmsByTeam(trx, MAX_LINES);
  if (teams.length === 0) return 'There are no CVMs.';
  return teams
    .map(
      ({ slug, total, running, failed }) =>
        `${slug}: ${running} of ${total} running${failed > 0 ? `, ${failed} failed` : ''}`,
    )
    .join('\n');
}

async function oneTeam(trx: Tx, slug: string): Promise<string> {
  const found = await cvmsOfTeam(trx, slug, MAX_LINES);
  if (!found) return `There is no team ${cutWhole(slug, 64)}.`;
  const [first] = found.rows;
  if (!first) return `${found.team.name} has no CVMs.`;
  const more = first.total - found.rows.length;
  const lines = found.rows.map(({ name, status, host }) => `${name}: ${status}, on ${host}`);
  return [...lines, ...(more > 0 ? [`And ${more} more.`] : [])].join('\n');
}

async function ack(trx: Tx, id: number | null, { chat, from }: Asker): Promise<string> {
  if (id === null) return 'Specify the alert: /ack 12';
  const done = await acknowledge(trx, id, from);
  if (done) {
    await bringUpToDate(trx, [done]);
    await appendAudit(trx, [
      {
        actor_kind: 'system',
        action: 'alert.acknowledge',
        target_kind: 'alert',
        target_id: String(id),
        after: { kind: done.kind, subject: done.subject, chat_id: chat.id, chat: chat.title, by: from },
      },
    ]);
    return `Acknowledged #${id}: ${done.title}. It stays silent until it is resolved.`;
  }
  const alert = await trx.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst();
  if (!alert) return `There is no alert ${id}.`;
  return alert.resolved_at
    ? `#${id} is already resolved.`
    : `#${id} was acknowledged by ${alert.acknowledged_by ?? 'another user'}.`;
}
