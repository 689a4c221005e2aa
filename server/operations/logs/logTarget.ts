import { parseUuid } from '../../../console/lib/ids';
import { cvmForLogs, type LogTarget } from '../../db/cvmQueries';
import { openLogToken, type LogScope } from '../../domain/logUrls';
import { Problem } from '../../domain/problem';
import { StreamSlots } from '../activity/sse';
import type { Context } from '../types';

/** A host serves some hundreds of streams; whoever has one CVM's address must not be able to take them all. */
const slots = new StreamSlots(32, 'logs of this CVM');

/**
 * The CVM whose log an address leads to. The token in the address is the only credential; the CVM must still exist and
 * be the same team's. @throws LOG_TOKEN_INVALID, CVM_NOT_FOUND
 */
export async function logTarget(
  ctx: Context,
  asked: { vm_uuid: string; token: string },
  allowed: readonly LogScope[],
): Promise<LogTarget> {
  const vm_uuid = parseUuid(asked.vm_uuid);
  const grant = openLogToken(ctx.seal, asked.token);
  if (!grant || !vm_uuid || !allowed.includes(grant.scope)) throw new Problem('LOG_TOKEN_INVALID');
  const target = await cvmForLogs(ctx.db, { id: grant.cvm_id, team_id: grant.team_id });
  if (!target) throw new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
  if (target.vm_uuid !== vm_uuid) throw new Problem('LOG_TOKEN_INVALID');
  slots.take(grant.cvm_id, ctx.signal);
  return target;
}
