import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { resources } from '../schema/resources';
import type { OperationHints } from '../schema/xAdmin';
import type { ResourceAction } from '../schema/types';

/** Whether an action makes sense for a record as it is: `when` of the document, whose YAML may have put its values in quotes. */
export const isOffered = ({ when = {} }: OperationHints, record: AdminRecord): boolean =>
  Object.entries(when).every(([field, values]) =>
    values.some((value) => String(value) === String(record[field] ?? null)),
  );

/** What there is to show of an answer: where to follow what it started, facts that are told this once, or nothing. */
export type Reply =
  | { kind: 'none' }
  /** What is done goes on elsewhere: another app of this server. */
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
    return { kind: 'link', label: started.label, href: adminHref.list(started.name) };
  return { kind: 'link', label: `Follow the ${started.singular}`, href: adminHref.show(started.name, id) };
}
