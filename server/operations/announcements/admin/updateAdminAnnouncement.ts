import { adminAnnouncements, lockAnnouncement } from '../../../db/announcements/adminAnnouncements';
import type { AnnouncementRow } from '../../../db/announcements/announcementsTable';
import { adminOne } from '../../../db/core/adminList';
import { Problem } from '../../../domain/core/problem';
import { adminAnnouncementOut } from '../../../domain/announcements/announcementResponse';
import type { Handler } from '../../types';
import { checkIfMatch, etagOf, keysOf, nextVersion } from '../../core/admin/change';
import { invalid } from '../../core/invalid';
import { missing } from '../../core/admin/resource';
import { announcements } from '../../core/admin/resourcesContent';
import {
  checkTarget,
  checkTimes,
  checkWords,
  checkWorkspaces,
  columnsOf,
  type Written,
} from './announcement';

/** A published announcement can be corrected, except for its start time. */
export const updateAdminAnnouncement: Handler<'updateAdminAnnouncement'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const before = await lockAnnouncement(trx, path.id);
    if (!before) throw missing(announcements, path.id);
    checkIfMatch(ctx, etagOf(announcements.name, before.id, before.updated_at));
    if (before.state === 'ended')
      throw new Problem('CONFLICT', {
        message: "Ended announcements can't be changed.",
        suggestions: ['Create a new one.'],
      });
    const columns = columnsOf(body);
    if (
      before.state === 'live' &&
      columns.starts_at !== undefined &&
      !same(columns.starts_at, before.starts_at)
    )
      throw invalid('starts_at', 'It has already started.');
    const whole = { ...before, ...columns };
    checkWords(body);
    checkTimes(whole);
    await checkTarget(trx, whole);
    await trx
      .updateTable('announcements')
      .set({
        ...columns,
        updated_at: nextVersion(before),
        // Users added to the audience are notified, too.
        ...(isRedirected(before, body) ? { notified_at: null, notified_until: 0 } : {}),
      })
      .where('id', '=', path.id)
      .execute();
    await checkWorkspaces(trx, path.id, whole, body.workspaces);
    // Users who dismissed it dismissed a different text.
    const rewritten = body.text !== undefined && body.text !== before.text;
    if (rewritten && before.published_at !== null)
      await trx.deleteFrom('announcement_dismissals').where('announcement_id', '=', path.id).execute();
    const row = await adminOne(trx, adminAnnouncements, path.id);
    if (!row) throw missing(announcements, path.id);
    const after = adminAnnouncementOut(row);
    const keys = Object.keys(body);
    await audit({
      action: 'announcement.update',
      target_kind: 'announcement',
      target_id: String(row.id),
      before: keysOf({ ...before, starts_at: iso(before.starts_at), ends_at: iso(before.ends_at) }, keys),
      after: keysOf(after, keys),
    });
    return {
      status: 200,
      headers: { ETag: etagOf(announcements.name, row.id, row.updated_at) },
      body: after,
    } as const;
  });

const AUDIENCE = ['audience', 'teepod_id', 'node_id', 'kms_id', 'os_image_id'] as const;

/** Whether a change gives the announcement another audience. */
const isRedirected = (
  before: Pick<AnnouncementRow, (typeof AUDIENCE)[number]> & { workspaces: string[] },
  body: Written,
): boolean =>
  AUDIENCE.some((key) => body[key] !== undefined && body[key] !== before[key]) ||
  (body.workspaces !== undefined &&
    [...new Set(body.workspaces)].toSorted().join(' ') !== before.workspaces.toSorted().join(' '));

const same = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();
const iso = (time: Date | null) => time?.toISOString() ?? null;
