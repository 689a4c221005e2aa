import { applyDiagnosis } from '../../db/network/domains';
import { storedDomain } from '../../domain/network/domains';
import { Problem } from '../../domain/core/problem';
import { lookAtDomain } from '../../jobs/network/checkDomains';
import type { Handler } from '../types';
import { findCvmDomain, LOOK_MS, shown } from './domain';

export const verifyCvmDomain: Handler<'verifyCvmDomain'> = async ({ path, ctx }) => {
  const { found, row } = await findCvmDomain(ctx, path);
  const signal = AbortSignal.any([ctx.signal, AbortSignal.timeout(LOOK_MS)]);
  const diagnosis = await lookAtDomain(ctx, found.domain, storedDomain(found.domain.domain), signal);
  const gone = () => new Problem('NOT_FOUND', { message: 'The domain was removed in the meantime.' });
  if (!diagnosis) throw gone();
  return ctx.write(async ({ trx, audit }) => {
    const domain = await applyDiagnosis(trx, found.domain.id, diagnosis);
    if (!domain) throw gone();
    await audit({
      action: 'domain.verify',
      target_kind: 'domain',
      target_id: domain.public_id,
      before: { state: found.domain.state },
      after: { domain: domain.domain, state: domain.state, found: diagnosis.state },
    });
    return { status: 200, body: shown({ row, found: { ...found, domain } }) } as const;
  });
};
