import { isAllowed, teepodActions } from '../../../../console/lib/hosts/allowedActions';
import { Problem } from '../../../domain/core/problem';
import type { Handler } from '../../types';
import { lockTeepodOr404, setTeepodState, teepodReply } from '../teepod';

export const cordonAdminTeepod: Handler<'cordonAdminTeepod'> = async ({ path, ctx }) =>
  ctx.write(async ({ trx, audit }) => {
    const teepod = await lockTeepodOr404(trx, path.id);
    if (!isAllowed(teepodActions.cordon, teepod.state))
      throw new Problem('CONFLICT', {
        message: `${teepod.name} is already ${teepod.state}.`,
      });
    await setTeepodState(trx, teepod, 'cordoned');
    await audit({
      action: 'teepod.cordon',
      target_kind: 'teepod',
      target_id: String(teepod.id),
      before: { state: teepod.state },
      after: { state: 'cordoned' },
    });
    return teepodReply(trx, teepod.id);
  });
