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
          suggestions: ['Disable it, wait for its requests to finish, then remove it.'],
        });
      const cvm = await gatewayCvm(trx, id);
      if (cvm !== null)
        throw new Problem('IN_USE', {
          message: `“${name}” runs in the CVM “${cvm}”, which its team pays for.`,
          suggestions: ['Delete the CVM first.'],
        });
      if (await awaitsAiReports(trx, id))
        throw new Problem('IN_USE', {
          message: `“${name}” hasn’t reported all of its requests yet.`,
          suggestions: [`Try again in ${AI_HOLD_HOURS} hours, when no more reports can arrive.`],
        });
    },
    kept: ['name', 'url', 'image', 'state'],
  });
