import type { CvmSchedule } from '../../../../generated/api/types.gen';
import { Problem } from '../../../domain/core/problem';
import { utcMinute } from '../../../domain/core/dates';
import { scheduleWarning } from '../../../domain/core/schedule';
import { iso } from '../../../domain/core/references';
import type { Context } from '../../types';
import { protectedCvm } from '../lifecycle/deleteCvm';
import { setCvm } from './setting';

const MAX_DAYS = 366;

/** Schedules a stop or deletion of a CVM, or clears it with null. */
export async function scheduleCvm(
  ctx: Context,
  cvm_id: string,
  what: 'stop' | 'delete',
  text: string | null,
): Promise<CvmSchedule> {
  const at = text === null ? null : timeToCome(text, `scheduled_${what}_at`);
  const warned_at = at === null ? null : scheduleWarning(at);
  const { cvm } = await setCvm(ctx, {
    cvm_id,
    action: `schedule_${what}`,
    change: (row) => {
      if (what === 'delete' && at !== null && row.cvm.protected) throw protectedCvm(row.cvm);
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
