import { findCvm } from '../../db/cvms/cvmLookup';
import { storedDiagnosis } from '../../domain/network/domainState';
import { diagnosisOut } from '../../domain/network/domainResponse';
import { lookAtDomain } from '../../jobs/network/checkDomains';
import { Problem } from '../../domain/core/problem';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { LOOK_MS, typedDomain } from './domain';

export const diagnoseCvmDomain: Handler<'diagnoseCvmDomain'> = async ({ path, body, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const name = await typedDomain(ctx, body.domain);
  const diagnosis = await lookAtDomain(
    ctx,
    {
      app_id: row.app.id,
      cvm_id: body.scope === 'instance' ? row.cvm.id : null,
      port: body.port ?? 443,
    },
    name,
    AbortSignal.any([ctx.signal, AbortSignal.timeout(LOOK_MS)]),
  );
  if (!diagnosis) throw new Problem('CVM_NOT_FOUND');
  return { status: 200, body: diagnosisOut(storedDiagnosis(diagnosis)) };
};
