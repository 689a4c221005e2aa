import { findCvm } from '../../../db/cvms/cvmLookup';
import { toCvmDetail } from '../../../domain/cvms/cvmResponse';
import { loadFacts } from '../../core/analyzer';
import { teamOf } from '../../core/caller';
import type { Handler } from '../../types';
import { confirmationIn } from '../onChain/gate';
import { changeCvm } from './change';
import { nextRevision } from './update';
import { checkVersion } from './version';

/**
 * Visibility is part of the measured file, so changing it is an update; requesting the current state is not.
 */
export const updateCvmVisibility: Handler<'updateCvmVisibility'> = async ({ path, body, ctx }) => {
  const present = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await loadFacts(ctx, present.revision);
  const { cvm, operation } = present;
  const same =
    cvm.public_logs === (body.public_logs ?? cvm.public_logs) &&
    cvm.public_sysinfo === (body.public_sysinfo ?? cvm.public_sysinfo) &&
    cvm.public_tcbinfo === (body.public_tcbinfo ?? cvm.public_tcbinfo);
  // While an operation is in progress, the current state may not be the final one.
  if (same && !operation) {
    await checkVersion(ctx, ctx.db, present);
    return { status: 200, body: toCvmDetail(present, ctx) };
  }
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    confirms: confirmationIn(ctx),
    payload: async (row, write) => {
      const { public_logs, public_sysinfo, public_tcbinfo } = body;
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        public_logs,
        public_sysinfo,
        public_tcbinfo,
      });
      return payload;
    },
    reply: (row) => ({ status: 200 as const, body: toCvmDetail(row, ctx) }),
  });
};
