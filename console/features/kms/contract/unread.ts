import type { AppContract, AppContractEntry, Approval, IsAllowed } from '../../../../generated/api/types.gen';

// What the chain said before a reading failed may not hold any longer, so it is shown as unknown.

/** @param error why it couldn't be read again */
export const unreadContract = (contract: AppContract, error: string): AppContract => ({
  ...contract,
  policy: null,
  error,
  compose_hashes: contract.compose_hashes.map(unreadEntry),
  devices: contract.devices.map(unreadEntry),
});

const unreadEntry = (entry: AppContractEntry): AppContractEntry => ({ ...entry, allowed: null });

/** @param error why it couldn't be read again */
export const unreadApproval = (approval: Approval, error: string): Approval => ({
  ...approval,
  compose_hash_allowed: null,
  devices: approval.devices.map((device) => ({ ...device, allowed: null })),
  is_allowed: null,
  // That needs no chain, and nothing undoes it.
  error: approval.overtaken ? approval.error : error,
});

/** Whether a CVM may boot now, and what that rests on. */
export type Verdict = Pick<
  IsAllowed,
  'is_allowed' | 'device_id_allowed' | 'error' | 'compose_hash' | 'device_id'
>;

/** @param error why it couldn't be read, or read again */
export const unreadVerdict = (error: string): Verdict => ({
  is_allowed: false,
  device_id_allowed: null,
  error,
  compose_hash: '',
  device_id: '',
});
