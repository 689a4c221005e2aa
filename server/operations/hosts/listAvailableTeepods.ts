import { kmsOut } from '../../domain/catalog/catalogResponse';
import type { Handler } from '../types';
import { availableHosts } from './availableHosts';

/** Lists where the team can deploy now, emptiest first, with what each host offers. */
export const listAvailableTeepods: Handler<'listAvailableTeepods'> = async ({ ctx }) => {
  const { tier, capacity, nodes, kms } = await availableHosts(ctx);
  return { status: 200, body: { tier, capacity, nodes, kms_list: kms.map(kmsOut) } };
};
