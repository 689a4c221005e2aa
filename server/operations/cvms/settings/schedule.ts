import type { CvmSchedule } from '../../../../generated/api/types.gen';
import { Problem } from '../../../domain/core/problem';
import { utcMinute } from '../../../domain/core/dates';
import { scheduleWarning } from '../../../domain/core/schedule';
import { iso } from '../../../domain/core/references';
import type { CvmRow } from '../../../db/cvms/cvmsTable';
import { resolveNotices } from '../../../db/notifications/notifications';
import type { Context, Write } from '../../types';
import { protectedCvm } from '../lifecycle/deleteCvm';
import { setCvm } from './setting';

const MAX_DAYS = 366;

type Scheduled = 'stop' | 'delete';

const DONE = { stop: 'stopped', delete: 'deleted' } as const;

/** Schedules a stop or deletion of a CVM, or clears it with null. */
export async function scheduleCvm(
  ctx: Context,
  cvm_id: string,
  what: Scheduled,
  text: string | null,
): Promise<CvmSchedule> {
  const at = text === null ? null : timeToCome(text, `scheduled_${what}_at`);
  const warned_at = at === null ? null : scheduleWarning(at);
  const { cvm } = await setCvm(ctx, {
    cvm_id,
    action: `schedule_${what}`,
    change: async ({ cvm: before }, write) => {
      if (what === 'delete' && at !== null && before.protected) throw protectedCvm(before);
      await endWarning(write, before, what, at);
      return what === 'stop'
        ? { scheduled_stop_at: at, stop_warned_at: warned_at }
        : { scheduled_delete_at: at, delete_warned_at: warned_at };
    },
    event: () => ({
      kind: `cvm.schedule_${what}`,
      message: at
        ? `${what === 'stop' ? 'Stop' : 'Deletion'} scheduled for ${utcMinute(at)}`
        : `Scheduled ${what === 'stop' ? 'stop' : 'deletion'} canceled`,
      data: { at: iso(at) },
    }),
  });
  return {
    scheduled_stop_at: iso(cvm.scheduled_stop_at),
    scheduled_delete_at: iso(cvm.scheduled_delete_at),
  };
}

/**
 * Resolves the notification that a stop or deletion is near, which its new time makes untrue. One notification may
 * stand for both, and then stays. @param at the new time; null if it was canceled
 */
export async function endWarning(
  { trx }: Pick<Write, 'trx'>,
  cvm: CvmRow,
  what: Scheduled,
  at: Date | null,
): Promise<void> {
  const warned = {
    stop: cvm.scheduled_stop_at !== null && cvm.stop_warned_at !== null,
    delete: cvm.scheduled_delete_at !== null && cvm.delete_warned_at !== null,
  };
  if (!warned[what] || (warned.stop && warned.delete)) return;
  const { id, team_id, name } = cvm;
  const done = DONE[what];
  const [title, message]: [string, string] =
    at === null
      ? [`${name} won’t be ${done}`, 'Its schedule was canceled']
      : [`${name} will be ${done} at ${utcMinute(at)}`, 'Its schedule was changed'];
  const notice = { kind: 'cvm_schedule', subject: `cvm:${id}`, title, message, team_id } as const;
  await resolveNotices(trx, [notice], new Date());
}

/** @throws INVALID_REQUEST for a time that has passed or is more than a year ahead */
export function timeToCome(text: string, field: string): Date {
  const at = new Date(text);
  const ahead = at.getTime() - Date.now();
  const message =
    ahead <= 0
      ? 'The time is in the past.'
      : ahead > MAX_DAYS * 86_400_000
        ? 'The time is more than a year away.'
        : null;
  if (message) throw new Problem('INVALID_REQUEST', { message, details: [{ field, message, value: text }] });
  return at;
}
