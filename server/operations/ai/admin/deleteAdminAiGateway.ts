import { AI_HOLD_HOURS } from '../../../db/ai/aiCharges';
import { awaitsAiReports, gatewayCvm, lockAiGateway } from '../../../db/ai/aiGateways';
import { Problem } from '../../../domain/core/problem';
import { removeRow } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';

export const deleteAdminAiGateway: Handler<'deleteAdminAiGateway'> = ({ path, ctx }) =>
  removeRow(ctx, aiGateways, path.id, {
    kind: 'ai_gateway',
    table: 'ai_gateways',
    lock: lockAiGateway,
    async check(trx, { id, name, state }) {
      if (state === 'active')
        throw new Problem('IN_USE', {
          message: `“${name}” may still answer requests.`,
          suggestions: ['Disable it, wait until its requests have ended, and remove it then.'],
        });
      const cvm = await gatewayCvm(trx, id);
      if (cvm !== null)
        throw new Problem('IN_USE', {
          message: `“${name}” runs in the CVM “${cvm}”, which its team pays for.`,
          suggestions: ['Delete the CVM first.'],
        });
      if (await awaitsAiReports(trx, id))
        throw new Problem('IN_USE', {
          message: `Requests that “${name}” was allowed have not been reported yet.`,
          suggestions: [`Remove it in ${AI_HOLD_HOURS} hours, when no report can follow.`],
        });
    },
    kept: ['name', 'url', 'image', 'state'],
  });
