import { chainById } from '../../../console/lib/kms/chains';
import { bytes32 } from '../../../console/lib/kms/hex';
import { revisionNames } from '../../db/apps/contractNames';
import { devicesForKms } from '../../db/apps/isAllowed';
import { addedValues, findIndex, newestEvents } from '../../db/kms/contractIndex';
import { catchUp } from '../../jobs/kms/indexContracts';
import { Problem } from '../../domain/core/problem';
import { appContractOut } from '../../domain/kms/appContractResponse';
import { teamOf } from '../core/caller';
import { readApp } from '../kms/onChain';
import type { Handler } from '../types';
import { appOf } from './appId';
import { contractOf } from './isAllowed';

const MAX_ENTRIES = 200;
const MAX_HISTORY = 100;

/** The index says which entries to query; only the chain says what is allowed. */
export const getAppContract: Handler<'getAppContract'> = async ({ path, ctx }) => {
  const { app } = await appOf(ctx, path.app_id);
  const contract = await contractOf(ctx, app);
  const chain = contract && chainById(contract.chain_id);
  if (!contract || !chain) throw new Problem('NOT_FOUND', { message: "No contract guards this app's keys." });
  const at = { chain_id: contract.chain_id, address: `0x${app.app_id}` };
  await catchUp(ctx, at);
  const index = await findIndex(ctx.db, at.chain_id, at.address);
  const listed = async (kind: 'ComposeHashAdded' | 'DeviceAdded') =>
    index ? addedValues(ctx.db, index.id, kind, MAX_ENTRIES) : [];
  const [hashes, devices, history] = await Promise.all([
    listed('ComposeHashAdded'),
    listed('DeviceAdded'),
    index ? newestEvents(ctx.db, index.id, MAX_HISTORY) : [],
  ]);
  const reading = await readApp(ctx, contract, {
    app_id: app.app_id,
    compose_hashes: hashes.map(({ value }) => value),
    device_ids: devices.map(({ value }) => value),
    boots: [],
  }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'ERR-00-048') return error;
    throw error;
  });
  const [revisions, machines] = await Promise.all([
    revisionNames(
      ctx.db,
      app.id,
      hashes.map(({ value }) => value.slice(2)),
    ),
    app.kms_id === null ? [] : devicesForKms(ctx.db, teamOf(ctx).id, app.kms_id),
  ]);
  const hosts = machines.flatMap(({ name, device_id }) => {
    const stored = bytes32(device_id);
    return stored === null ? [] : [{ name, device_id: stored }];
  });
  const nameOf = (device: string) => hosts.find(({ device_id }) => device_id === device)?.name;
  return {
    status: 200,
    body: appContractOut({
      chain,
      address: `0x${app.app_id}`,
      kms_contract_address: contract.address,
      reading,
      hashes: hashes.map((event) => ({ event, name: revisions.get(event.value.slice(2)) ?? null })),
      devices: devices.map((event) => ({ event, name: nameOf(event.value) ?? null })),
      hosts,
      history,
      index: index ?? null,
    }),
  };
};
