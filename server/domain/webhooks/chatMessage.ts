import { ownValue } from '../../../console/lib/ownValue';
import { appPath, costPath, cvmPath, debtPath, membersPath, teamPath } from '../../../console/lib/paths';
import { oneLine } from '../notifications/mail/plain';
import { webhookBody, type WebhookEventKind, type WebhookFormat, type WebhookPayload } from './webhook';

/** Events as messages to incoming webhooks of chat services. */

type ChatFormat = Exclude<WebhookFormat, 'events'>;

export const isChat = (format: WebhookFormat): format is ChatFormat => format !== 'events';

/** Anyone with the URL of an incoming webhook may post to the chat, so others see only its origin. */
export const hiddenPath = (url: string): string => `${new URL(url).origin}/…`;

interface Told extends WebhookPayload {
  /** Sentence before the event's message. */
  title?: string | undefined;
}

/** Returns the request body. @param public_url this server's, for links into the console */
export function deliveryBody(format: WebhookFormat, told: Told, public_url: string): string {
  if (!isChat(format)) return webhookBody(told);
  const { team, data } = told;
  const subject = data.test ? 'This is a test for team' : 'Team';
  const sentences = `${subject} ${quoted(team.name)}: ${what(told)}`;
  const text = `${ESCAPED[format](sentences)} ${public_url}${page(told)}`;
  return JSON.stringify(format === 'slack' ? { text } : { content: text, allowed_mentions: { parse: [] } });
}

/** Code points. Even with every one of them escaped, a message stays below Discord's 2,000 characters. */
const MAX_LENGTH = { name: 80, title: 120, reason: 400 };

function cut(text: string, most: number): string {
  const characters = [...oneLine(text)];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : characters.join('');
}

const quoted = (name: string) => `“${cut(name.replaceAll(/[“”"]/g, '’'), MAX_LENGTH.name)}”`;

const sentence = (text: string, most: number) => `${cut(text, most).replace(/[.\s]+$/, '')}.`;

/** The event in our wording; event messages stay unchanged. */
function what({ event, data, title }: Told): string {
  const cvm = data.cvm_name === null ? 'A CVM' : `CVM ${quoted(data.cvm_name)}`;
  const reason = data.message ?? data.error;
  if (OWN_WORDS.has(event) && data.message !== undefined)
    return [title, data.message]
      .flatMap((part, i) => (part ? [sentence(part, i === 0 ? MAX_LENGTH.title : MAX_LENGTH.reason)] : []))
      .join(' ');
  const happened = HAPPENED[event](cvm, quoted(data.domain ?? 'example.com'));
  return reason ? `${happened} ${sentence(reason, MAX_LENGTH.reason)}` : happened;
}

/** Events whose message is complete. */
const OWN_WORDS: ReadonlySet<WebhookEventKind> = new Set<WebhookEventKind>([
  'cvm.schedule_warning',
  'budget.alert',
  'budget.used_up',
  'debt.alert',
  'debt.settled',
  'order.started',
  'order.ending',
  'order.ended',
]);

const HAPPENED: Readonly<Record<WebhookEventKind, (cvm: string, domain: string) => string>> = {
  'cvm.created': (cvm) => `${cvm} was deployed and has booted.`,
  'cvm.create_failed': (cvm) => `${cvm} couldn’t be deployed.`,
  'cvm.started': (cvm) => `${cvm} has started.`,
  'cvm.restarted': (cvm) => `${cvm} has restarted.`,
  'cvm.updated': (cvm) => `${cvm} was updated.`,
  'cvm.stopped': (cvm) => `${cvm} has stopped.`,
  'cvm.deleted': (cvm) => `${cvm} was deleted.`,
  'cvm.update.pending_approval': (cvm) => `${cvm} has an update that is waiting for on-chain approval.`,
  'cvm.schedule_warning': (cvm) => `${cvm} is scheduled to stop or be deleted within the hour.`,
  'domain.verified': (_cvm, domain) => `The domain ${domain} points to its app.`,
  'domain.broken': (_cvm, domain) => `The domain ${domain} no longer points to its app.`,
  'budget.alert': () => 'A budget has reached an alert threshold.',
  'budget.used_up': () => 'A budget is used up.',
  'debt.alert': () => 'A payment is due.',
  'debt.settled': () => 'The debt is settled.',
  'order.started': () => 'A reservation started or was renewed.',
  'order.ending': () => 'A reservation ends soon.',
  'order.ended': () => 'A reservation has ended or was canceled.',
};

/** Returns a message for a test of an event that has one; null for other events. */
export const sampleMessage = (event: WebhookEventKind, cvm_name: string | null): string | null =>
  OWN_WORDS.has(event) ? HAPPENED[event](`CVM ${quoted(cvm_name ?? '')}`, '') : null;

/** Its page in the console; none of these addresses has characters that need escaping. */
function page({ event, team: { slug }, data }: Told): string {
  if (data.test) return membersPath(slug, 'webhooks');
  if (event.startsWith('debt.')) return debtPath(slug);
  if (event.startsWith('budget.') || event.startsWith('order.')) return costPath(slug);
  if (event.startsWith('domain.') && data.app_id !== null) return appPath(slug, data.app_id);
  return data.cvm_id === null || event === 'cvm.deleted' ? teamPath(slug) : cvmPath(slug, data.cvm_id);
}

const WORD_JOINER = '\u2060';

/**
 * Keeps names from becoming links, mentions or emoji, by an invisible character; amounts and times stay
 * unchanged.
 */
const unlinked = (text: string) =>
  text
    .replaceAll(/@|[.:](?=[^\s\d])|(?<!\d)[.:](?=\d)/g, (mark) => mark + WORD_JOINER)
    .replaceAll('//', `/${WORD_JOINER}/`);

/** The services that accept `slack` share no escape: others show Slack's entities literally. */
const SIMILAR: Readonly<Record<string, string>> = {
  '<': '‹',
  '>': '›',
  '`': 'ˋ',
  '*': '∗',
  '~': '∼',
  '\\': '∖',
  '&': `&${WORD_JOINER}`,
  ']': `]${WORD_JOINER}`,
};

const ESCAPED: Readonly<Record<ChatFormat, (text: string) => string>> = {
  slack: (text) =>
    unlinked(
      text
        .replaceAll(/[<>`*~\\&\]]/g, (mark) => ownValue(SIMILAR, mark) ?? mark)
        // Within a word it has no meaning.
        .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, 'ˍ'),
    ),
  discord: (text) => unlinked(text.replaceAll(/[\\*_~`|<>[\]]/g, String.raw`\$&`)),
};
