import type { Cvm, IsAllowed } from '../../../generated/api/types.gen';
import { refusedPart, type RefusedPart } from './bootRefusal';

/** The KMS's decision about a boot, given the contract's current state. */
export type BootDecision =
  | { state: 'allowed' }
  /** @property reason why the contract can't be read */
  | { state: 'unknown'; reason: string }
  /** @property reason in the contract's own words */
  | { state: 'refused'; part: RefusedPart; reason: string };

/** A CVM that wouldn't get its keys, or for which that is unknown. */
export interface BootRisk {
  id: string;
  name: string;
  /** The CVM's KMS tab, where its contract can be changed. */
  href: string | null;
  decision: Exclude<BootDecision, { state: 'allowed' }>;
}

export function decisionOf({
  is_allowed,
  device_id_allowed,
  error,
}: Pick<IsAllowed, 'is_allowed' | 'device_id_allowed' | 'error'>): BootDecision {
  if (is_allowed) return { state: 'allowed' };
  if (device_id_allowed === null)
    return { state: 'unknown', reason: error ?? 'The network’s RPC isn’t responding.' };
  const reason = error ?? 'the contract gives no reason';
  return { state: 'refused', part: refusedPart(reason), reason };
}

/** Whether a contract decides about the CVM's keys. */
export const isGuarded = ({ kms_info }: Pick<Cvm, 'kms_info'>): boolean => kms_info?.chain_id != null;

/** A question to the chain: about one CVM, or about all of an app. */
export type BootQuestion = { cvm: string } | { app: string };

/** Maximum apps whose contracts are read for one dialog. */
export const MAX_APPS = 20;

/** Returns the minimum of questions that cover all of these CVMs, skipping those without a contract. */
export function bootQuestions(
  cvms: readonly Pick<Cvm, 'id' | 'app_id' | 'kms_info'>[],
): readonly BootQuestion[] {
  const guarded = cvms.filter(isGuarded);
  const [first] = guarded;
  if (guarded.length === 1 && first) return [{ cvm: first.id }];
  const apps = new Set(guarded.flatMap(({ app_id }) => app_id ?? []));
  return [...apps].slice(0, MAX_APPS).map((app) => ({ app }));
}

export type BootVerb = 'start' | 'restart' | 'resize';

const ENDS: Readonly<Record<BootVerb, string>> = {
  start: 'so it won’t boot',
  restart: 'so it won’t restart. If it’s running, it keeps running',
  resize: 'so it won’t be resized. If it’s running, it keeps running',
};

const WHY: Readonly<Record<Exclude<RefusedPart, 'other'>, string>> = {
  hash: 'its compose hash isn’t allowed',
  device: 'its host’s device isn’t allowed',
};

/** Describes the effect of the contract's refusal: "Its compose hash isn’t allowed, so it won’t boot." */
export function refusalText({ part, reason }: { part: RefusedPart; reason: string }, verb: BootVerb): string {
  const why = part === 'other' ? `the contract says “${reason}”` : WHY[part];
  return `${why.slice(0, 1).toUpperCase()}${why.slice(1)}, ${ENDS[verb]}.`;
}
