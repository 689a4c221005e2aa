import type { RaRecord } from 'react-admin';
import { adminHref } from './paths';
import { resources } from './schema/resources';

/**
 * Returns the page of a request that waits for approval; null if it was executed.
 * @param accepted the schema of the operation's 202 in the document
 */
export function waitingHref(
  { status, json }: { status: number; json?: unknown },
  accepted: string | undefined,
): string | null {
  if (status !== 202 || accepted === undefined) return null;
  const resource = resources.find(({ schema }) => schema === accepted);
  const { id } = (json ?? {}) as { id?: unknown };
  return resource && (typeof id === 'number' || typeof id === 'string')
    ? adminHref.show(resource.name, id)
    : null;
}

const WAITS = Symbol('waits');

/** Marks the unchanged record that a form receives instead of a saved one. The mark isn't a field. */
export const waitingRecord = (record: RaRecord, href: string): RaRecord =>
  Object.assign({ ...record }, { [WAITS]: href });

/** Returns the page where a form's change waits; null if it was saved. */
export const waitsAt = (record: object): string | null => (record as { [WAITS]?: string })[WAITS] ?? null;

/**
 * @param label the request: "Void"
 * @param title the record's name, if the label isn't specific enough
 */
export const waitsForApproval = (label: string, title?: string) =>
  ({
    tone: 'attention',
    title: `“${label}”${title === undefined ? '' : ` for ${title}`} is waiting for approval`,
    message: 'Another administrator must approve it.',
  }) as const;
