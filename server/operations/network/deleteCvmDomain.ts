import { deleteDomain } from '../../db/network/domains';
import type { Handler } from '../types';
import { findCvmDomain } from './domain';

export const deleteCvmDomain: Handler<'deleteCvmDomain'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const { row, found } = await findCvmDomain(ctx, path, trx);
    await deleteDomain(trx, found.domain.id);
    await audit({
      action: 'domain.delete',
      target_kind: 'domain',
      target_id: found.domain.public_id,
      before: {
        domain: found.domain.domain,
        port: found.domain.port,
        app_id: row.app.app_id,
        state: found.domain.state,
      },
    });
    return { status: 204 } as const;
  });
