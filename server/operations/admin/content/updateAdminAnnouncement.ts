import { adminAnnouncements, lockAnnouncement } from '../../../db/adminAnnouncements';
import { adminOne } from '../../../db/adminList';
import { Problem } from '../../../domain/problem';
import { adminAnnouncementOut } from '../../../domain/wire/adminContent';
import type { Handler } from '../../types';
import { checkIfMatch, etagOf, invalid, keysOf, nextVersion } from '../change';
import { missing } from '../resource';
import { announcements } from '../resourcesContent';
import { checkTarget, checkTimes, checkWords, checkWorkspaces, columnsOf } from './announcement';

/** What is shown can be corrected; only its beginning is history. */
export const updateAdminAnnouncement: Handler<'updateAdminAnnouncement'> = async ({ path, body, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const before = await lockAnnouncement(trx, path.id);
    if (!before) throw missing(announcements, path.id);
    checkIfMatch(ctx, etagOf(announcements.name, before.id, before.updated_at));
    if (before.state === 'ended')
      throw new Problem('CONFLICT', {
        message: 'It has ended and is kept as it was.',
        suggestions: ['Write another one.'],
      });
    const columns = columnsOf(body);
    if (
      before.state === 'live' &&
      columns.starts_at !== undefined &&
      !same(columns.starts_at, before.starts_at)
    )
      throw invalid('starts_at', 'It has started already.');
    const whole = { ...before, ...columns };
    checkWords(body);
    checkTimes(whole);
    await checkTarget(trx, whole);
    await trx
      .updateTable('announcements')
      .set({ ...columns, updated_at: nextVersion(before) })
      .where('id', '=', path.id)
      .execute();
    await checkWorkspaces(trx, path.id, whole, body.workspaces);
    // Who closed it closed something else.
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

const same = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime();
const iso = (time: Date | null) => time?.toISOString() ?? null;
