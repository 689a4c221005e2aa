// What a person expects, as a file beside the evidence: kept apart, so that evidence never says what to believe of it.

import { type OsMeasurement, type Policy, TCB_STATUSES, type TcbStatus } from './types';

const FORMAT = 'teehouse.policy';
const VERSION = 1;

export class PolicyError extends Error {
  override name = 'PolicyError';
}

/** Text of the file; `parsePolicy` reads it back. */
export function policyFile(policy: Policy): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...policy }, null, 2)}\n`;
}

const MOST_CHARACTERS = 1_048_576;
const HEX = ['report_data', 'app_id', 'compose_hash', 'instance_id'] as const;
const LISTS = ['device_ids', 'key_provider_kinds', 'key_provider_ids', 'os_image_hashes'] as const;
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

/** @throws {PolicyError} A key that is not known is an error: misspelt, it would silently ask for nothing. */
export function parsePolicy(text: string): Partial<Policy> {
  if (text.length > MOST_CHARACTERS) throw new PolicyError('The policy is too long to be one.');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new PolicyError('The policy is not JSON.');
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PolicyError('The policy is not a JSON object.');
  const file = json as Json;
  const strange = Object.keys(file).find((key) => !KNOWN.includes(key));
  if (strange !== undefined) throw new PolicyError(`The policy has a key “${strange}” that means nothing.`);
  if ((file.format ?? FORMAT) !== FORMAT || (file.version ?? VERSION) !== VERSION)
    throw new PolicyError(`The policy is not ${FORMAT} version ${VERSION}.`);
  const policy: Partial<Policy> = {};
  if (file.scope !== undefined) {
    if (file.scope !== 'quote' && file.scope !== 'app')
      throw new PolicyError('scope is neither “quote” nor “app”.');
    policy.scope = file.scope;
  }
  if (file.accepted_tcb !== undefined) policy.accepted_tcb = tcbStatuses(file.accepted_tcb);
  for (const key of HEX) {
    const value = file[key];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') throw new PolicyError(`${key} is not text.`);
    policy[key] = value;
  }
  for (const key of LISTS) {
    const value = file[key];
    if (value === undefined || value === null) continue;
    if (!isTexts(value)) throw new PolicyError(`${key} is not a list of texts.`);
    policy[key] = value;
  }
  if (file.os_measurements !== undefined && file.os_measurements !== null)
    policy.os_measurements = measurements(file.os_measurements);
  return policy;
}

/** @throws {PolicyError} */
export function tcbStatuses(value: unknown): TcbStatus[] {
  if (!isTexts(value)) throw new PolicyError('accepted_tcb is not a list of texts.');
  return value.map((word) => {
    const status = TCB_STATUSES.find((one) => one === word);
    if (!status)
      throw new PolicyError(
        `“${word.slice(0, 80)}” is no TCB status; these are: ${TCB_STATUSES.join(', ')}.`,
      );
    return status;
  });
}

function measurements(value: unknown): OsMeasurement[] {
  if (!Array.isArray(value)) throw new PolicyError('os_measurements is not a list.');
  return value.map((row: unknown) => {
    const fields = (typeof row === 'object' && row !== null ? row : {}) as Json;
    const [name, mrtd, rtmr0, rtmr1, rtmr2] = MEASUREMENT.map((key) => {
      const text = fields[key];
      if (typeof text !== 'string') throw new PolicyError(`A row of os_measurements has no ${key}.`);
      return text;
    }) as [string, string, string, string, string];
    return { name, mrtd, rtmr0, rtmr1, rtmr2 };
  });
}
