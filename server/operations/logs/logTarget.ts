import { parseUuid } from '../../../console/lib/ids';
import { cvmForLogs, type LogTarget } from '../../db/cvms/cvmQueries';
import { findReader } from '../../db/teams/access';
import { openLogToken, type LogGrant, type LogScope } from '../../domain/logs/logUrls';
import { decide, subjectOf } from '../../domain/teams/permissions';
import { Problem } from '../../domain/core/problem';
import { teamRefusal } from '../../domain/teams/teamRules';
import { StreamSlots } from '../activity/sse';
import { noteRead } from '../core/staffRead';
import type { Context, StreamReader } from '../types';

/**
 * Concurrent log streams in one process. A host serves a few hundred streams, so neither one CVM's address
 * nor one user or team with many CVMs may take them all. One user leaves room for others at the same CVM.
 */
const slots = new StreamSlots({
  cvm: { most: 32, what: "of this CVM's log streams" },
  cvm_user: { most: 24, what: 'of your log streams for this CVM' },
  user: { most: 64, what: 'of your log streams' },
  team: { most: 128, what: "of this team's log streams" },
});

export interface GrantedLog {
  target: LogTarget;
  /** Whose right to read applies: a stream ends when they lose it. */
  reader: StreamReader;
}

/**
 * Returns the CVM whose log an address leads to. The token in the address is the only credential: its
 * recipient must still have the same access through the same session or token, and the CVM must still exist
 * in the same team.
 * @throws LOG_TOKEN_INVALID, CVM_NOT_FOUND
 */
export async function logTarget(
  ctx: Context,
  request: { vm_uuid: string; token: string },
  allowed: readonly LogScope[],
): Promise<GrantedLog> {
  const vm_uuid = parseUuid(request.vm_uuid);
  const grant = openLogToken(ctx.seal, request.token);
  if (!grant || !vm_uuid || !allowed.includes(grant.scope)) throw new Problem('LOG_TOKEN_INVALID');
  const reader = readerOf(ctx, grant);
  if (!(await reader.stillAllowed())) throw new Problem('LOG_TOKEN_INVALID');
  const target = await cvmForLogs(ctx.db, { id: grant.cvm_id, team_id: grant.team_id });
  if (!target) throw new Problem('CVM_NOT_FOUND', { message: 'The requested CVM was not found' });
  if (target.vm_uuid !== vm_uuid) throw new Problem('LOG_TOKEN_INVALID');
  // Recorded before a line is read; the URL itself names the reader.
  await noteRead(
    ctx,
    { id: grant.cvm_id, public_id: target.public_id, name: target.cvm_name, team_id: grant.team_id },
    'logs',
    grant.reader,
  );
  const user = grant.reader.staff_user_id ?? grant.reader.user_id;
  const { cvm_id: cvm, team_id: team } = grant;
  slots.take({ cvm, cvm_user: `${cvm}/${user}`, user, team }, ctx.signal);
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
