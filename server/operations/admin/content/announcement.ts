import { setWorkspaces, targetExists } from '../../../db/adminAnnouncements';
import type { Tx } from '../../../db/client';
import type { AnnouncementRow } from '../../../db/schemaAnnouncements';
import { invalid } from '../change';

/** What is written of an announcement, as the body has it. */
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

/** The body as columns. */
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

/** Blanks are no words, and a title is one line: it is the subject of a mail, too. @throws VALIDATION_FAILED at the field */
export function checkWords({ title, text }: Pick<Written, 'title' | 'text'>): void {
  if (title !== undefined && (title.trim() === '' || /\p{Cc}/u.test(title)))
    throw invalid('title', 'Say in one line what it is about.');
  if (text !== undefined && text.trim() === '') throw invalid('text', 'Say what people should know.');
}

/** Rules beyond the schema, of the announcement as it will be. @throws VALIDATION_FAILED at the field */
export function checkTimes({ starts_at, ends_at, severity, notify }: Whole): void {
  if (ends_at && starts_at && ends_at <= starts_at) throw invalid('ends_at', 'It ends after it starts.');
  if (notify && severity !== 'critical')
    throw invalid('notify', 'Only critical announcements are told in the bell and by mail.');
}

/** Before it is written: what it points at exists. */
export async function checkTarget(trx: Tx, whole: Whole): Promise<void> {
  const { audience } = whole;
  if (audience === 'everybody' || audience === 'workspaces') return;
  const { column, what } = TARGETS[audience];
  const target = whole[column];
  if (target === null) throw invalid(column, `Choose the ${what} whose users it is for.`);
  if (!(await targetExists(trx, column, target))) throw invalid(column, `There is no ${what} ${target}.`);
}

/** After it was written: the workspaces it is for, all of which exist. */
export async function checkWorkspaces(
  trx: Tx,
  id: number,
  { audience }: Whole,
  workspaces: string[] | undefined,
): Promise<void> {
  if (workspaces !== undefined) {
    const unknown = await setWorkspaces(trx, id, workspaces);
    if (unknown.length > 0)
      throw invalid('workspaces', `There is no workspace ${unknown.slice(0, 3).join(', ')}.`);
  }
  if (audience !== 'workspaces') return;
  const one = await trx
    .selectFrom('announcement_workspaces')
    .select('team_id')
    .where('announcement_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (!one) throw invalid('workspaces', 'Name the workspaces it is for.');
}
