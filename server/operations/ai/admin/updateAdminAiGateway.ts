import { lockAiGateway } from '../../../db/ai/aiGateways';
import { namingConflict } from '../../core/admin/change';
import { changeRow } from '../../core/admin/resource';
import { aiGateways } from '../../core/admin/resourcesAi';
import type { Handler } from '../../types';
import { checkedAddress, GATEWAY_NAMES } from './gateway';

export const updateAdminAiGateway: Handler<'updateAdminAiGateway'> = ({ path, body, ctx }) =>
  namingConflict(GATEWAY_NAMES, () =>
    changeRow(ctx, aiGateways, path.id, {
      kind: 'ai_gateway',
      patch: { ...body, url: body.url === undefined ? undefined : checkedAddress(body.url) },
      lock: lockAiGateway,
      write: (trx, changes) =>
        trx.updateTable('ai_gateways').set(changes).where('id', '=', path.id).execute(),
    }),
  );
