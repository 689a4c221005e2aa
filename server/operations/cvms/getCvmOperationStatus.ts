import { findCvm } from '../../db/cvms/cvmLookup';
import { operationSummary } from '../../domain/cvms/cvmResponse';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';

export const getCvmOperationStatus: Handler<'getCvmOperationStatus'> = async ({ path, ctx }) => {
  const { cvm, operation, latest_operation } = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  return {
    status: 200,
    body: {
      vm_uuid: cvm.vm_uuid,
      status: cvm.status,
      desired_status: cvm.desired,
      in_progress: operation !== null,
      operation: latest_operation && operationSummary(latest_operation),
    },
  };
};
