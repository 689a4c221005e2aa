import { lockGateway } from '../../../db/hosts/adminGateways';
import { removeRow } from '../../core/admin/resource';
import type { Handler } from '../../types';
import { gateways } from './resource';

export const deleteAdminGateway: Handler<'deleteAdminGateway'> = async ({ path, ctx }) => {
  const reply = await removeRow(ctx, gateways, path.id, {
    kind: 'gateway',
    table: 'gateways',
    lock: lockGateway,
    kept: ['base_domain', 'url'],
  });
  ctx.gateways.drop(path.id);
  return reply;
};
