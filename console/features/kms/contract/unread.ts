import type { AppContract, AppContractEntry, Approval, IsAllowed } from '../../../../generated/api/types.gen';

// After a failed refresh, earlier answers from the chain may no longer hold, so they are shown as unknown.

/** @param error why the refresh failed */
export const unreadContract = (contract: AppContract, error: string): AppContract => ({
  ...contract,
  policy: null,
  error,
  compose_hashes: contract.compose_hashes.map(unreadEntry),
  devices: contract.devices.map(unreadEntry),
});

const unreadEntry = (entry: AppContractEntry): AppContractEntry => ({ ...entry, allowed: null });

/** @param error why the refresh failed */
export const unreadApproval = (approval: Approval, error: string): Approval => ({
  ...approval,
  compose_hash_allowed: null,
  devices: approval.devices.map((device) => ({ ...device, allowed: null })),
  is_allowed: null,
  // Being overtaken doesn't depend on the chain and can't be undone.
  error: approval.overtaken ? approval.error : error,
});

/** Whether a CVM may boot now, and the basis of that answer. */
export type Verdict = Pick<
  IsAllowed,
  'is_allowed' | 'device_id_allowed' | 'error' | 'compose_hash' | 'device_id'
>;

/** @param error why loading or refreshing failed */
export const unreadVerdict = (error: string): Verdict => ({
  is_allowed: false,
  device_id_allowed: null,
  error,
  compose_hash: '',
  device_id: '',
});
