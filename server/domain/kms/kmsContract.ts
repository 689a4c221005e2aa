import { pinsOf, type KmsPins } from './kmsKeys';

/** A KMS contract's state at one block. Hashes and addresses have 0x and are lowercase. */
export interface ContractFacts {
  /** False: no contract at this address, and the rest is empty. */
  code_present: boolean;
  owner: string | null;
  pending_owner: string | null;
  app_implementation: string | null;
  gateway_app_id: string | null;
  /** Hex without 0x, as keys are pinned. */
  k256_pubkey: string | null;
  ca_pubkey: string | null;
  os_images: { os_image_hash: string; allowed: boolean }[];
  devices: { device_id: string; allowed: boolean }[];
  aggregated_mrs: string[];
  /** Apps registered with it; null when the RPC returned no events. */
  app_count: number | null;
  /** The lists hold everything it allows, not only values queried by name. */
  complete: boolean;
}

const ZERO = /^0x0*$/;

type Pinned = KmsPins & { ca_pubkey: string | null };

/** Returns what an administrator must know about the facts; any alarm sets the contract's health to alarm. */
export function judgeContract(
  facts: ContractFacts,
  pinned: Pinned | null,
): { health: 'ok' | 'alarm'; notices: string[]; keys_match: boolean | null } {
  if (!facts.code_present)
    return {
      health: 'alarm',
      notices: ['There is no contract at this address on this chain.'],
      keys_match: null,
    };
  const keys_match = keysMatch(facts, pinned);
  const alarms = keys_match === false ? ['The contract’s keys differ from those pinned for its KMS.'] : [];
  const notices: string[] = [];
  if (facts.gateway_app_id === 'any') notices.push('gatewayAppId is “any”: apps trust any gateway.');
  if (facts.app_implementation === null || ZERO.test(facts.app_implementation))
    notices.push('No app implementation is set, so no app can be deployed through it.');
  if (facts.owner !== null && ZERO.test(facts.owner))
    notices.push("It no longer has an owner, so it can't be changed.");
  if (facts.pending_owner !== null && !ZERO.test(facts.pending_owner))
    notices.push(`Its ownership is offered to ${facts.pending_owner}.`);
  if (!facts.complete)
    notices.push(
      'It may allow more than these lists show: not all of its events could be read lately, or they add too many values.',
    );
  return { health: alarms.length > 0 ? 'alarm' : 'ok', notices: [...alarms, ...notices], keys_match };
}

/** Null where one side has no key. While a KMS has two valid k256 keys, its contract may name either. */
function keysMatch(
  facts: Pick<ContractFacts, 'k256_pubkey' | 'ca_pubkey'>,
  pinned: Pinned | null,
): boolean | null {
  if (pinned === null) return null;
  const pairs = [
    [facts.k256_pubkey, pinsOf(pinned)],
    [facts.ca_pubkey, pinned.ca_pubkey === null ? [] : [pinned.ca_pubkey.toLowerCase()]],
  ] as const;
  const compared = pairs.filter(([named, valid]) => named !== null && valid.length > 0);
  if (compared.length === 0) return null;
  return compared.every(([named, valid]) => valid.includes((named ?? '').toLowerCase()));
}
