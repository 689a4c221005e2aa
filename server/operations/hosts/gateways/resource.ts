import { adminGateways } from '../../../db/hosts/adminGateways';
import { adminGatewayOut } from '../../../domain/hosts/gatewayResponse';
import type { AdminGatewayRow } from '../../../db/hosts/adminGateways';
import type { AdminGateway } from '../../../../generated/api/types.gen';
import type { AdminResource } from '../../core/admin/resource';

export const gateways: AdminResource<AdminGatewayRow, AdminGateway> = {
  name: 'gateways',
  singular: 'gateway',
  source: adminGateways,
  out: adminGatewayOut,
  version: (row) => row.updated_at,
};
