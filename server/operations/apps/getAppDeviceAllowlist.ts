import { cvmsOfApps } from '../../db/cvms/cvmQueries';
import { devicesForKms } from '../../db/apps/isAllowed';
import type { NumberedAllowlist } from '../../domain/cvms/cvmResponse20260121';
import { teamOf } from '../core/caller';
import { readApp } from '../kms/onChain';
import type { Handler } from '../types';
import { appOf } from './appId';
import { contractOf, sameDevice } from './isAllowed';

const MAX_CVMS = 1000;

/** Without a contract there is no list: a CVM gets its keys on its own machine, whichever that is. */
const EVERY_DEVICE = {
  is_onchain_kms: false,
  allow_any_device: true,
  chain_id: null,
  app_contract_address: null,
  devices: [],
};

export const getAppDeviceAllowlist: Handler<'getAppDeviceAllowlist'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const contract = await contractOf(ctx, app);
  if (!contract || app.kms_id === null) return { status: 200, body: EVERY_DEVICE };
  const team_id = teamOf(ctx).id;
  const [rows, hosts] = await Promise.all([
    cvmsOfApps(ctx.db, team_id, [app.id], MAX_CVMS),
    devicesForKms(ctx.db, team_id, app.kms_id),
  ]);
  const cvms = rows.get(app.id) ?? [];
  const names = new Map(hosts.map(({ device_id, name }) => [device_id, name]));
  for (const { node } of cvms) if (node.device_id !== null) names.set(node.device_id, node.name);
  const device_ids = [...names.keys()];
  const { allow_any_device, device_ids: allowed } = await readApp(ctx, contract, {
    app_id: app.app_id,
    compose_hashes: [],
    device_ids,
    boots: [],
  });
  const body: NumberedAllowlist = {
    is_onchain_kms: true,
    allow_any_device,
    chain_id: contract.chain_id,
    app_contract_address: `0x${app.app_id}`,
    devices: device_ids.map((device_id, i) => {
      const on = cvms.filter(({ node }) => node.device_id !== null && sameDevice(node.device_id, device_id));
      return {
        device_id,
        node_name: names.get(device_id) ?? null,
        cvm_ids: on.map(({ cvm }) => cvm.public_id),
        cvm_numbers: on.map(({ cvm }) => cvm.id),
        allowed_onchain: allowed[i] === true,
        status: allow_any_device || allowed[i] === true ? 'allowed' : 'not_allowed',
      };
    }),
  };
  return { status: 200, body };
};
