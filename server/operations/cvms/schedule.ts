import type { CvmSchedule } from '../../../generated/api/types.gen';
import { Problem } from '../../domain/problem';
import { scheduleWarning, utcMinute } from '../../domain/schedule';
import { iso } from '../../domain/wire/refs';
import type { Context, Handler } from '../types';
import { protectedCvm } from './deleteCvm';
import { setCvm } from './setting';

const LONGEST_DAYS = 366;

export const scheduleCvmStop: Handler<'scheduleCvmStop'> = async ({ path, body, ctx }) => ({
  status: 200,
  body: await schedule(ctx, path.cvm_id, 'stop', body.scheduled_stop_at),
});

export const scheduleCvmDelete: Handler<'scheduleCvmDelete'> = async ({ path, body, ctx }) => ({
  status: 200,
  body: await schedule(ctx, path.cvm_id, 'delete', body.scheduled_delete_at),
});

async function schedule(
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
        ? `To be ${what === 'stop' ? 'stopped' : 'deleted'} at ${utcMinute(at)}`
        : `No longer to be ${what === 'stop' ? 'stopped' : 'deleted'} by itself`,
      data: { at: iso(at) },
    }),
  });
  return {
    scheduled_stop_at: iso(cvm.scheduled_stop_at),
    scheduled_delete_at: iso(cvm.scheduled_delete_at),
  };
}

function timeToCome(text: string, field: string): Date {
  const at = new Date(text);
  const ahead = at.getTime() - Date.now();
  const message =
    ahead <= 0
      ? 'The time has passed already.'
      : ahead > LONGEST_DAYS * 86_400_000
        ? 'The time is more than a year away.'
        : null;
  if (message) throw new Problem('INVALID_REQUEST', { message, details: [{ field, message, value: text }] });
  return at;
}
