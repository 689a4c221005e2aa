// The verifier's expectations, in a separate file: evidence must never define its own policy.

import { cutWhole } from '../texts/cutWhole';
import { DEFAULT_POLICY } from './defaultPolicy';
import { readJson } from './json';
import { type OsMeasurement, type Policy, TCB_STATUSES, type TcbStatus } from './types';

const FORMAT = 'teehouse.policy';
const VERSION = 1;

export class PolicyError extends Error {
  override name = 'PolicyError';
}

/** Returns the file's text, which `parsePolicy` reads back. */
export function policyFile(policy: Policy): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...policy }, null, 2)}\n`;
}

const MAX_CHARACTERS = 1_048_576;
const HEX = ['report_data', 'gpu_nonce', 'app_id', 'compose_hash', 'instance_id'] as const;
const LISTS = [
  'device_ids',
  'key_provider_kinds',
  'key_provider_ids',
  'kms_roots',
  'os_image_hashes',
] as const;
const MEASUREMENT = ['name', 'mrtd', 'rtmr0', 'rtmr1', 'rtmr2'] as const;
const KNOWN: readonly string[] = [
  'format',
  'version',
  'scope',
  'accepted_tcb',
  'os_measurements',
  ...HEX,
  ...LISTS,
];

type Json = Readonly<Record<string, unknown>>;
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @throws {PolicyError} Unknown keys are errors: a misspelled one would silently check nothing. */
export function parsePolicy(text: string): Partial<Policy> {
  if (text.length > MAX_CHARACTERS) throw new PolicyError('The policy file is too long.');
  const json = readJson(text);
  if ('fault' in json) throw new PolicyError(`The policy ${json.fault}.`);
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    throw new PolicyError('The policy is not a JSON object.');
  const file = json.value as Json;
  if (Object.hasOwn(file, 'evidence') || Object.hasOwn(file, 'quote'))
    throw new PolicyError('This is an evidence file. A policy file contains the values you expect.');
  const strange = Object.keys(file).find((key) => !KNOWN.includes(key));
  if (strange !== undefined) throw new PolicyError(`The policy has an unknown key “${strange}”.`);
  if ((file.format ?? FORMAT) !== FORMAT || (file.version ?? VERSION) !== VERSION)
    throw new PolicyError(`The policy is not ${FORMAT} version ${VERSION}.`);
  const policy: Partial<Policy> = {};
  if (file.scope !== undefined) {
    if (file.scope !== 'quote' && file.scope !== 'app')
      throw new PolicyError('“scope” must be "quote" or "app".');
    policy.scope = file.scope;
  }
  if (file.accepted_tcb !== undefined) policy.accepted_tcb = tcbStatuses(file.accepted_tcb);
  for (const key of HEX) {
    const value = file[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw new PolicyError(`“${key}” must be a string.`);
    policy[key] = value;
  }
  for (const key of LISTS) {
    const value = file[key];
    if (value === undefined || value === null) continue;
    if (!isTexts(value)) throw new PolicyError(`“${key}” must be a list of strings.`);
    policy[key] = value;
  }
  if (file.os_measurements !== undefined && file.os_measurements !== null)
    policy.os_measurements = measurements(file.os_measurements);
  return policy;
}

/** Adds the default requirements to those of a file. */
export const policyOfFile = (given: Partial<Policy>): Policy => ({
  ...DEFAULT_POLICY,
  ...given,
  // A pinned root is also the only accepted key provider.
  key_provider_ids: given.key_provider_ids ?? given.kms_roots,
});

/** @throws {PolicyError} */
export function tcbStatuses(value: unknown): TcbStatus[] {
  if (!isTexts(value)) throw new PolicyError('“accepted_tcb” must be a list of strings.');
  return value.map((word) => {
    const status = TCB_STATUSES.find((one) => one === word);
    if (!status)
      throw new PolicyError(
        `“${cutWhole(word, 80)}” is not a TCB status. Use one of: ${TCB_STATUSES.join(', ')}.`,
      );
    return status;
  });
}

function measurements(value: unknown): OsMeasurement[] {
  if (!Array.isArray(value)) throw new PolicyError('“os_measurements” must be a list.');
  return value.map((row: unknown) => {
    const fields = (typeof row === 'object' && row !== null ? row : {}) as Json;
    const [name, mrtd, rtmr0, rtmr1, rtmr2] = MEASUREMENT.map((key) => {
      const text = fields[key];
      if (typeof text !== 'string')
        throw new PolicyError(`An entry in “os_measurements” has no string “${key}”.`);
      return text;
    }) as [string, string, string, string, string];
    return { name, mrtd, rtmr0, rtmr1, rtmr2 };
  });
}
