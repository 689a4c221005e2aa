import { setWorkspaces, targetExists } from '../../../db/announcements/adminAnnouncements';
import type { Tx } from '../../../db/core/client';
import type { AnnouncementRow } from '../../../db/announcements/announcementsTable';
import { invalid } from '../../core/invalid';
import { checkTexts } from '../../core/text';

/** The writable fields of an announcement, as in the request body. */
export interface Written {
  title?: string;
  text?: string;
  severity?: AnnouncementRow['severity'];
  audience?: AnnouncementRow['audience'];
  workspaces?: string[];
  teepod_id?: number | null;
  node_id?: number | null;
  kms_id?: number | null;
  os_image_id?: number | null;
  starts_at?: string | null;
  ends_at?: string | null;
  dismissible?: boolean;
  link?: string | null;
  notify?: boolean;
}

const moment = (text: string | null | undefined) =>
  text === undefined ? undefined : text === null ? null : new Date(text);

/** Returns the body as columns. */
export function columnsOf({ workspaces: _, starts_at, ends_at, ...rest }: Written) {
  const times = { starts_at: moment(starts_at), ends_at: moment(ends_at) };
  return Object.fromEntries(
    Object.entries({ ...rest, ...times }).filter(([, value]) => value !== undefined),
  ) as Omit<Written, 'workspaces' | 'starts_at' | 'ends_at'> & {
    starts_at?: Date | null;
    ends_at?: Date | null;
  };
}

type Whole = Pick<
  AnnouncementRow,
  | 'audience'
  | 'teepod_id'
  | 'node_id'
  | 'kms_id'
  | 'os_image_id'
  | 'starts_at'
  | 'ends_at'
  | 'severity'
  | 'notify'
>;

const TARGETS = {
  teepod: { column: 'teepod_id', what: 'teepod' },
  node: { column: 'node_id', what: 'node' },
  kms: { column: 'kms_id', what: 'KMS' },
  os_image: { column: 'os_image_id', what: 'OS image' },
} as const;

/**
 * Rejects blank text, and titles of more than one line: the title is also an email subject. @throws
 * VALIDATION_FAILED at the field
 */
export function checkWords({ title, text }: Pick<Written, 'title' | 'text'>): void {
  if (title !== undefined && (title.trim() === '' || /\p{Cc}/u.test(title)))
    throw invalid('title', 'Enter a one-line title.');
  if (text !== undefined && text.trim() === '') throw invalid('text', 'Enter the announcement text.');
  checkTexts({ title, text }, ['title', 'text']);
}

/**
 * Checks rules beyond the schema against the resulting announcement. @throws VALIDATION_FAILED at the field
 */
export function checkTimes({ starts_at, ends_at, severity, notify }: Whole): void {
  if (ends_at && starts_at && ends_at <= starts_at)
    throw invalid('ends_at', 'The end must be after the start.');
  if (notify && severity !== 'critical')
    throw invalid('notify', 'Only critical announcements can be sent as notifications and email.');
}

/** Checks before the write that every named target exists, also those the audience doesn't use. */
export async function checkTarget(trx: Tx, whole: Whole): Promise<void> {
  for (const [audience, { column, what }] of Object.entries(TARGETS)) {
    const target = whole[column];
    if (target === null && audience === whole.audience)
      throw invalid(column, `Choose the ${what} whose users should see it.`);
    if (target !== null && !(await targetExists(trx, column, target)))
      throw invalid(column, `There is no ${what} ${target}.`);
  }
}

/** Checks after the write that every target workspace exists. */
export async function checkWorkspaces(
  trx: Tx,
  id: number,
  { audience }: Whole,
  workspaces: string[] | undefined,
): Promise<void> {
  if (workspaces !== undefined) {
    const unknown = await setWorkspaces(trx, id, workspaces);
    if (unknown.length > 0) throw invalid('workspaces', `Team not found: ${unknown.slice(0, 3).join(', ')}.`);
  }
  if (audience !== 'workspaces') return;
  const one = await trx
    .selectFrom('announcement_workspaces')
    .select('team_id')
    .where('announcement_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (!one) throw invalid('workspaces', 'Choose at least one team.');
}
