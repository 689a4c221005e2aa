import { findCvm } from '../../db/cvmLookup';
import { toCvmDetail } from '../../domain/wire/cvm';
import { cvmDetail20251028 } from '../../domain/wire/cvm20251028';
import { teamOf } from '../shared/caller';
import type { Handler } from '../types';
import { changeCvm } from './change';
import { nextRevision } from './update';

/** What is public stands in the measured file, so a change is an update; asking for what is so already is none. */
export const updateCvmVisibility: Handler<'updateCvmVisibility'> = async ({ path, body, ctx }) => {
  const present = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { cvm, operation } = present;
  const same =
    cvm.public_logs === body.public_logs &&
    cvm.public_sysinfo === body.public_sysinfo &&
    cvm.public_tcbinfo === (body.public_tcbinfo ?? cvm.public_tcbinfo);
  // While something runs on it, what is so now may not be what it ends with.
  if (same && !operation) return { status: 200, body: cvmDetail20251028(toCvmDetail(present, ctx)) };
  return changeCvm(ctx, {
    cvm_id: path.cvm_id,
    type: 'update',
    payload: async (row, write) => {
      const { public_logs, public_sysinfo, public_tcbinfo } = body;
      const { allowed_envs_changed: _, ...payload } = await nextRevision(ctx, write, row, {
        public_logs,
        public_sysinfo,
        public_tcbinfo,
      });
      return payload;
    },
    reply: (row) => ({ status: 200 as const, body: cvmDetail20251028(toCvmDetail(row, ctx)) }),
  });
};
