import type { RaRecord } from 'react-admin';
import { adminHref } from './paths';
import { resources } from './schema/resources';

/**
 * Returns the page of what a request left waiting for an approval; null if it was carried out.
 * @param accepted the schema that the document names for the operation's 202
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

/** Marks the unchanged record that a form gets instead of a saved one. It stays out of the fields. */
export const waitingRecord = (record: RaRecord, href: string): RaRecord =>
  Object.assign({ ...record }, { [WAITS]: href });

/** Returns the page of what a form left waiting; null if it was saved. */
export const waitsAt = (record: object): string | null => (record as { [WAITS]?: string })[WAITS] ?? null;

/**
 * @param label what was requested: "Void"
 * @param title name of the record, if the label doesn't say it all
 */
export const waitsForApproval = (label: string, title?: string) =>
  ({
    tone: 'attention',
    title: `“${label}”${title === undefined ? '' : ` for ${title}`} is waiting for approval`,
    message: 'Another administrator must approve it.',
  }) as const;
