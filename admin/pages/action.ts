import { exactUsd } from '../../console/lib/billing/money';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { inSentence } from '../schema/labels';
import { resources } from '../schema/resources';
import type { OperationHints } from '../schema/xAdmin';
import type { ResourceAction, ResourceDescription } from '../schema/types';
import { plain } from '../schema/value';
import { ownValue } from '../../console/lib/ownValue';
import { hasOneOf, unmetNeed } from './needs';

/** Whether the record meets the action's `when`. */
export const isOffered = ({ when = {} }: OperationHints, record: AdminRecord): boolean =>
  Object.entries(when).every(([field, values]) => hasOneOf(record, field, values));

/** Like `unmetNeed`, for an action of users on their own record. */
export const refusedToSelf = (
  { not_self }: OperationHints,
  record: AdminRecord,
  username: string | undefined,
): string | undefined =>
  username !== undefined && ownValue(record, 'username') === username ? not_self : undefined;

/** Returns the effects of deleting the record, one sentence each. */
export function deletionEffects(
  { hints, fields }: Pick<ResourceDescription, 'hints' | 'fields'>,
  record: AdminRecord,
): string[] {
  const { effects = ['Removes it from every list. The audit log keeps its last values.'] } =
    hints.delete ?? {};
  const valueOf = (name: string) => {
    const text = plain(ownValue(record, name));
    return fields.find((field) => field.name === name)?.type === 'money' ? exactUsd(text) : text;
  };
  return effects.map((effect) => effect.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => valueOf(name)));
}

/**
 * Returns the effects of a deletion, or why the record can't be deleted: the effects may not apply to such a
 * record.
 */
export const deletionText = (
  resource: Pick<ResourceDescription, 'hints' | 'fields'>,
  record: AdminRecord,
): string => unmetNeed(resource.hints.delete ?? {}, record) ?? deletionEffects(resource, record).join(' ');

/**
 * Returns the message after an action.
 * @param title the record's name
 */
export const doneText = (
  { done, label, starts }: Pick<ResourceAction, 'done' | 'label' | 'starts'>,
  title: string,
): string =>
  // A function, because a name may contain `replace` patterns.
  done?.replace('{record}', () => title) ?? `“${label}” ${starts ? 'started' : 'completed'} for ${title}`;

/** Returns the action with its record, for use in a sentence: "Suspend bob". */
const askText = ({ ask, label }: Pick<ResourceAction, 'ask' | 'label'>, title: string): string =>
  ask?.replace('{record}', () => title) ?? `${label} ${title}`;

/** Returns the title of the action's dialog: "Suspend bob?" */
export const askTitle = (action: Pick<ResourceAction, 'ask' | 'label'>, title: string): string =>
  `${askText(action, title)}?`;

/** Returns the title for a refused action: "Couldn’t suspend bob". */
export const failedText = (action: Pick<ResourceAction, 'ask' | 'label'>, title: string): string =>
  `Couldn’t ${inSentence(askText(action, title))}`;

/**
 * Returns the label of the dialog's cancel button. An action that cancels something would have two buttons named
 * Cancel.
 */
export const keepLabel = ({ keep, label }: Pick<OperationHints, 'keep' | 'label'>): string =>
  keep ?? (label?.startsWith('Cancel') === true ? 'Go back' : 'Cancel');

const hasFlag = (answer: unknown, field: string): boolean =>
  typeof answer === 'object' && answer !== null && ownValue({ ...answer }, field) === true;

/**
 * Returns the message if the reply shows that the action changed nothing because it was already done; null
 * otherwise.
 */
export const unchangedText = (
  { unchanged }: Pick<ResourceAction, 'unchanged'>,
  answer: unknown,
  title: string,
): string | null =>
  unchanged !== undefined && hasFlag(answer, unchanged.field)
    ? unchanged.text.replace('{record}', () => title)
    : null;

/** What to show after an action: a link to what it started, facts shown only once, or nothing. */
export type Reply =
  | { kind: 'none' }
  /** Continues in another app on this server. */
  | { kind: 'go'; href: string }
  | { kind: 'facts' }
  | { kind: 'link'; label: string; href: string };

export function replyOf(action: Pick<ResourceAction, 'reply'>, answer: unknown): Reply {
  if (action.reply === undefined || typeof answer !== 'object' || answer === null) return { kind: 'none' };
  const { location } = answer as { location?: unknown };
  if (typeof location === 'string' && /^\/(?![/\\])/.test(location)) return { kind: 'go', href: location };
  const started = resources.find(({ schema }) => schema === action.reply);
  if (!started) return { kind: 'facts' };
  const { id } = answer as { id?: unknown };
  if (started.permissions.show === undefined || (typeof id !== 'string' && typeof id !== 'number'))
    return {
      kind: 'link',
      label: started.label,
      href: adminHref.list(started.name),
    };
  return {
    kind: 'link',
    label: `Open ${started.singular}`,
    href: adminHref.show(started.name, id),
  };
}
