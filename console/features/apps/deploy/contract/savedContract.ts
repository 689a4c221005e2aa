import type { Provision } from '../../../../../generated/api/types.gen';
import { isAddress, type DeployedApp } from '../../../../lib/kms/appAuth';
import { bytes32 } from '../../../../lib/kms/hex';
import { readStored, storedList } from '../../../../ui/stored';

/** Identifies the contract that a deployment needs. */
export interface Needed {
  chain_id: number;
  kms_contract_address: string;
  compose_hash: string;
  device_id: string;
}

/** A sent transaction and, once known, the contract it deployed. */
export interface SavedContract {
  hash?: string;
  app?: DeployedApp;
}

/** Returns the contract a provision needs; null if its KMS has none, or too little is known for a transaction. */
export function contractOf({ kms_info, device_id, compose_hash }: Provision): Needed | null {
  const { chain_id, kms_contract_address } = kms_info ?? {};
  if (chain_id == null || kms_contract_address == null || device_id === null) return null;
  const isUsable =
    isAddress(kms_contract_address) && bytes32(device_id) !== null && bytes32(compose_hash) !== null;
  return isUsable ? { chain_id, kms_contract_address, compose_hash, device_id } : null;
}

export const SAVED_CONTRACTS = 'app-contracts';
/** Older entries are dropped. */
const MAX_KEPT = 20;

interface Entry {
  key: string;
  saved: unknown;
}

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'saved' in value;

/**
 * Until November 2026, entries were stored as an object by key, newest last. A contract in it has been paid for.
 */
const byKey = (value: unknown): Entry[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([key, saved]: [string, unknown]) => ({ key, saved }))
        .reverse()
    : [];

const contracts = storedList(SAVED_CONTRACTS, isEntry, MAX_KEPT, byKey);

const keyOf = ({ chain_id, kms_contract_address, compose_hash, device_id }: Needed) =>
  [chain_id, kms_contract_address, compose_hash, device_id].join(' ').toLowerCase();

/**
 * Returns this browser's earlier progress on a deployment, so that leaving between the transaction and the commit
 * costs nothing. The server checks the contract at the commit, so the stored value needn't be trusted.
 * @param stored the value of `useStored`
 */
export function savedContract(needed: Needed, stored = readStored(SAVED_CONTRACTS, '[]')): SavedContract {
  const key = keyOf(needed);
  return readSaved(contracts.parse(stored).find((one) => one.key === key)?.saved);
}

/**
 * Returns the latest contract deployed for the same compose hash but another device: its reservation expired, and
 * the new one is on another host. Allowing that device, too, costs less than another contract.
 */
export function contractOfOtherDevice(needed: Needed): DeployedApp | null {
  const own = keyOf(needed);
  const prefix = keyOf({ ...needed, device_id: '' });
  const others = contracts.read().filter(({ key }) => key.startsWith(prefix) && key !== own);
  return others.flatMap(({ saved }) => readSaved(saved).app ?? [])[0] ?? null;
}

/** A transaction sent from this page. */
export interface OwnTransaction {
  hash: string;
  /** The transaction the page was waiting for before that, if any. */
  before: string | undefined;
}

/**
 * Returns the transaction that an earlier visit or another tab sent. Sending one from this page doesn't change it:
 * this page follows its own to the end.
 * @param hash the last one saved
 */
export const sentBefore = (hash: string | undefined, own: OwnTransaction | null): string | undefined =>
  hash !== undefined && hash === own?.hash ? own.before : hash;

function readSaved(found: unknown): SavedContract {
  if (typeof found !== 'object' || found === null) return {};
  const { hash, app } = found as { hash?: unknown; app?: Partial<Record<keyof DeployedApp, unknown>> };
  const { app_id, deployer_address } = app ?? {};
  return {
    ...(typeof hash === 'string' && /^0x[0-9a-f]{64}$/i.test(hash) ? { hash } : {}),
    ...(typeof app_id === 'string' &&
    isAddress(`0x${app_id}`) &&
    typeof deployer_address === 'string' &&
    isAddress(deployer_address)
      ? { app: { app_id, deployer_address } }
      : {}),
  };
}

export function saveContract(needed: Needed, saved: SavedContract): void {
  const key = keyOf(needed);
  contracts.put({ key, saved }, (one) => one.key === key);
}

/**
 * Forgets the contract of an app that now has its CVM: deploying the same form again makes another app.
 * @param app_id the app, which may have been deployed for another device
 */
export function forgetContract(needed: Needed, app_id?: string): void {
  const key = keyOf(needed);
  contracts.remove(
    (one) => one.key === key || (app_id !== undefined && readSaved(one.saved).app?.app_id === app_id),
  );
}
