import { parseUuid } from '../../../console/lib/ids';
import { cvmForLogs, type LogTarget } from '../../db/cvmQueries';
import { findReader } from '../../db/access';
import { openLogToken, type LogGrant, type LogScope } from '../../domain/logUrls';
import { decide, subjectOf } from '../../domain/permissions';
import { Problem } from '../../domain/problem';
import { teamRefusal } from '../../domain/teamRules';
import { StreamSlots } from '../activity/sse';
import { noteRead } from '../shared/staffRead';
import type { Context, StreamReader } from '../types';

/** A host serves some hundreds of streams; whoever has one CVM's address must not be able to take them all. */
const slots = new StreamSlots(32, 'logs of this CVM');

export interface GrantedLog {
  target: LogTarget;
  /** By whose right it is read: a stream ends when they lose it. */
  reader: StreamReader;
}

/**
 * The CVM whose log an address leads to. The token in the address is the only credential: who got it must still be
 * allowed what they were, by the same session or token; the CVM must still exist and be the same team's.
 * @throws LOG_TOKEN_INVALID, CVM_NOT_FOUND
 */
export async function logTarget(
  ctx: Context,
  asked: { vm_uuid: string; token: string },
  allowed: readonly LogScope[],
): Promise<GrantedLog> {
  const vm_uuid = parseUuid(asked.vm_uuid);
  const grant = openLogToken(ctx.seal, asked.token);
  if (!grant || !vm_uuid || !allowed.includes(grant.scope)) throw new Problem('LOG_TOKEN_INVALID');
  const reader = readerOf(ctx, grant);
  if (!(await reader.stillAllowed())) throw new Problem('LOG_TOKEN_INVALID');
  const target = await cvmForLogs(ctx.db, { id: grant.cvm_id, team_id: grant.team_id });
  if (!target) throw new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
  if (target.vm_uuid !== vm_uuid) throw new Problem('LOG_TOKEN_INVALID');
  // Before a line of it is read; the address itself carries who reads.
  await noteRead(
    ctx,
    { id: grant.cvm_id, public_id: target.public_id, name: target.cvm_name, team_id: grant.team_id },
    'logs',
    grant.reader,
  );
  slots.take(grant.cvm_id, ctx.signal);
  return { target, reader };
}

function readerOf({ db }: Context, { team_id, reader }: LogGrant): StreamReader {
  const subject = { team_id, ...reader };
  return {
    subject,
    async stillAllowed() {
      const caller = await findReader(db, subject);
      if (!caller) return false;
      return decide('cvms.logs', subjectOf(caller)) === 'allowed' && teamRefusal(caller) === null;
    },
  };
}
