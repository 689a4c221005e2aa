import type { Handler } from '../types';
import { appOf } from './appId';

/** Without a contract there is no list: every device of this server is allowed. */
export const getAppDeviceAllowlist: Handler<'getAppDeviceAllowlist'> = async ({ path, ctx }) => {
  await appOf(ctx, path.app_id);
  return {
    status: 200,
    body: {
      is_onchain_kms: false,
      allow_any_device: true,
      chain_id: null,
      app_contract_address: null,
      devices: [],
    },
  };
};
