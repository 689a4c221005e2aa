import { createHash, randomBytes } from 'node:crypto';
import { utcMinute } from '../core/dates';

/** Chat commands, and the bot's alert messages. Plain text: nothing in it is markup. */

/** Minutes a linking code is valid. */
export const CODE_MINUTES = 10;

// Without letters that look like digits: codes are read on one screen and typed on another.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** "K7QM-2XRT": 39 random bits, valid for ten minutes and one chat. */
export function newChatCode(): string {
  const letters = Array.from({ length: 8 }, () => {
    for (;;) {
      const [byte = 255] = randomBytes(1);
      if (byte < 240) return LETTERS[byte % LETTERS.length];
    }
  }).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

export const chatCodeHash = (code: string) =>
  createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^0-9A-Z]/g, ''))
    .digest();

/** Alone and of those letters only, because ordinary words in a group can have eight letters, too. */
const CODE = new RegExp(`^[${LETTERS}]{4}-?[${LETTERS}]{4}$`, 'i');

export type ChatCommand =
  | { kind: 'help' | 'status' | 'unknown' }
  | { kind: 'link'; code: string }
  | { kind: 'cvms'; team: string | null }
  | { kind: 'ack'; id: number | null };

/** In groups a command names its bot: `/status@tea_bot`. A code alone is enough to link. */
export function parseCommand(text: string): ChatCommand {
  const [word = '', argument = ''] = text.trim().split(/\s+/, 2);
  const name = word.toLowerCase().replace(/@\w+$/, '');
  if (argument === '' && CODE.test(word)) return { kind: 'link', code: word };
  switch (name) {
    case '/link':
      return { kind: 'link', code: argument };
    case '/start':
      return argument === '' ? { kind: 'help' } : { kind: 'link', code: argument };
    case '/help':
      return { kind: 'help' };
    case '/status':
      return { kind: 'status' };
    case '/cvms':
      return { kind: 'cvms', team: argument === '' ? null : argument };
    case '/ack': {
      const id = /^#?(\d{1,9})$/.exec(argument)?.[1];
      return { kind: 'ack', id: id === undefined ? null : Number(id) };
    }
    default:
      return { kind: 'unknown' };
  }
}

export const HELP = [
  '/status: hosts, CVMs, queues and open alerts',
  "/cvms: CVM counts across all teams; /cvms team: a team's CVMs",
  '/ack 12: acknowledge alert 12 and silence it until resolved',
  '/help: this',
].join('\n');

export const hint = (public_url: string, service: string) =>
  `This chat isn't linked. A platform admin can create a code at ${public_url}/admin/system/${service}-integration; send it here: /link CODE`;

interface AlertText {
  id: number;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  count: number;
  opened_at: Date;
  acknowledged_by: string | null;
  resolved_at: Date | null;
}

/** The current message of an alert; updates replace it in place. */
export function alertText(alert: AlertText): string {
  const { id, severity, title, message, count, opened_at, acknowledged_by, resolved_at } = alert;
  const mark = resolved_at ? '✅ Resolved' : severity === 'critical' ? '🔴 Critical' : '🟡 Warning';
  return [
    `${mark} #${id}: ${title}`,
    message,
    `Since ${utcMinute(opened_at)}${count > 1 ? `, ${count} times` : ''}.`,
    ...(resolved_at ? [`Resolved ${utcMinute(resolved_at)}.`] : []),
    ...(acknowledged_by === null ? [] : [`Acknowledged by ${acknowledged_by}.`]),
    ...(resolved_at || acknowledged_by !== null ? [] : [`/ack ${id} silences it.`]),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/** A separate message, so that it sends a notification; a recurrence soon after mentions it. */
export const overText = ({ id, title, resolved_at, count }: AlertText): string =>
  resolved_at
    ? `✅ Resolved #${id}: ${title}${count > 1 ? ` (${count} times)` : ''}`
    : `🔴 Again #${id}: ${title} (${count} times)`;
