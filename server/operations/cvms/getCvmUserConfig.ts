import { findCvm } from '../../db/cvms/cvmLookup';
import { teamOf } from '../core/caller';
import { noteRead } from '../core/staffRead';
import type { Handler } from '../types';

export const getCvmUserConfig: Handler<'getCvmUserConfig'> = async ({ path, ctx }) => {
  const { cvm, teepod } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  await noteRead(ctx, cvm, 'compose');
  return {
    status: 200,
    body: {
      hostname: cvm.hostname ?? cvm.name,
      ssh_authorized_keys: cvm.ssh_authorized_keys.slice(0, 100),
      default_gateway_domain: teepod.gateway_base_domain,
    },
  };
};
