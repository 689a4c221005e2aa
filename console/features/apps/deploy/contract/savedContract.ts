import type { Provision } from '../../../../../generated/api/types.gen';
import { isAddress, type DeployedApp } from '../../../../lib/kms/appAuth';
import { bytes32 } from '../../../../lib/kms/words';
import { ownValue } from '../../../../lib/ownValue';
import { readStored, writeStored } from '../../../../ui/stored';

/** What identifies the contract that a deployment needs. */
export interface Needed {
  chain_id: number;
  kms_contract_address: string;
  compose_hash: string;
  device_id: string;
}

/** A transaction that was sent, and the contract it deployed once that is known. */
export interface SavedContract {
  hash?: string;
  app?: DeployedApp;
}

/** Returns what identifies the contract of a provision; null if its KMS has none, or too little for a transaction is known. */
export function contractOf({ kms_info, device_id, compose_hash }: Provision): Needed | null {
  const { chain_id, kms_contract_address } = kms_info ?? {};
  if (chain_id == null || kms_contract_address == null || device_id === null) return null;
  const isUsable =
    isAddress(kms_contract_address) && bytes32(device_id) !== null && bytes32(compose_hash) !== null;
  return isUsable ? { chain_id, kms_contract_address, compose_hash, device_id } : null;
}

const STORE = 'app-contracts';
/** The oldest are forgotten. */
const MAX_KEPT = 20;

const keyOf = ({ chain_id, kms_contract_address, compose_hash, device_id }: Needed) =>
  [chain_id, kms_contract_address, compose_hash, device_id].join(' ').toLowerCase();

/**
 * Returns what this browser did for a deployment before, so that leaving between the transaction and the commit costs
 * nothing. The server checks the contract at the commit, so nothing rests on what is stored here.
 */
export function savedContract(needed: Needed): SavedContract {
  return readSaved(ownValue(readAll(), keyOf(needed)));
}

/**
 * Returns the contract that was deployed last for the same compose hash on another device: its reservation expired, and the
 * next one is elsewhere. Allowing that device too costs less than another contract.
 */
export function contractOfOtherDevice(needed: Needed): DeployedApp | null {
  const prefix = keyOf({ ...needed, device_id: '' });
  const others = Object.entries(readAll()).filter(([key]) => key.startsWith(prefix) && key !== keyOf(needed));
  return others.flatMap(([, saved]) => readSaved(saved).app ?? []).at(-1) ?? null;
}

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
  const others = Object.entries(readAll()).filter(([one]) => one !== key);
  writeStored(STORE, JSON.stringify(Object.fromEntries([...others, [key, saved]].slice(-MAX_KEPT))));
}

type Tab = Pick<EventTarget, 'addEventListener' | 'removeEventListener'>;

/**
 * Calls back with what another tab did for the same deployment, so that no second contract is paid for. What this one saves
 * through `save` isn't reported back.
 */
export function shareSaved(needed: Needed, onOther: (saved: SavedContract) => void, tab: Tab) {
  let last = JSON.stringify(savedContract(needed));
  const read = () => {
    const saved = savedContract(needed);
    const now = JSON.stringify(saved);
    if (now === last) return;
    last = now;
    onOther(saved);
  };
  // Browsers send it to the other tabs only.
  tab.addEventListener('storage', read);
  return {
    save(saved: SavedContract) {
      saveContract(needed, saved);
      last = JSON.stringify(savedContract(needed));
    },
    stop: () => tab.removeEventListener('storage', read),
  };
}

/**
 * Forgets what was deployed for an app that has its CVM now: the same form is another app next time.
 * @param app_id which may have been deployed for another device
 */
export function forgetContract(needed: Needed, app_id?: string): void {
  const others = Object.entries(readAll()).filter(
    ([one, saved]) =>
      one !== keyOf(needed) && (app_id === undefined || readSaved(saved).app?.app_id !== app_id),
  );
  writeStored(STORE, JSON.stringify(Object.fromEntries(others)));
}

function readAll(): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(readStored(STORE, '{}'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
