// The file users download to verify a CVM without the console. It contains only evidence; expected values and
// policy come from the verifier.

import { readJson } from './json';
import type { Claims, Collateral, Evidence } from './types';
import { ownValue } from '../ownValue';

const EVIDENCE_FORMAT = 'teehouse.evidence';
const EVIDENCE_VERSION = 1;

export interface EvidenceBundle {
  format: typeof EVIDENCE_FORMAT;
  version: typeof EVIDENCE_VERSION;
  /** For display only; never checked. */
  about: { name?: string | undefined; vm_uuid?: string | undefined; collected_at?: string | undefined };
  evidence: Evidence;
}

export class EvidenceError extends Error {
  override name = 'EvidenceError';
}

/** Returns the file's text, which `parseEvidence` restores byte for byte. */
export function evidenceBundle(evidence: Evidence, about: EvidenceBundle['about'] = {}): string {
  const bundle: EvidenceBundle = { format: EVIDENCE_FORMAT, version: EVIDENCE_VERSION, about, evidence };
  return `${JSON.stringify(bundle, null, 2)}\n`;
}

const MAX_CHARACTERS = 8_388_608;

const COLLATERAL = [
  'pck_crl_issuer_chain',
  'root_ca_crl',
  'pck_crl',
  'tcb_info_issuer_chain',
  'tcb_info',
  'tcb_info_signature',
  'qe_identity_issuer_chain',
  'qe_identity',
  'qe_identity_signature',
] as const satisfies readonly (keyof Collateral)[];
const CLAIMS = [
  'mrtd',
  'rtmr0',
  'rtmr1',
  'rtmr2',
  'rtmr3',
  'mr_aggregated',
  'app_id',
  'compose_hash',
  'instance_id',
  'device_id',
] as const satisfies readonly (keyof Claims)[];

type Json = Readonly<Record<string, unknown>>;

function objectAt(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new EvidenceError(`${what} is not a JSON object.`);
  return value as Json;
}

function textAt(json: Json, key: string, what = key): string | undefined {
  const value = ownValue(json, key);
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new EvidenceError(`${what} is not a string.`);
  return value;
}

/** Text, or the same content as JSON: guests return text, and the console's API returns a list. */
function jsonTextAt(json: Json, key: string): string | undefined {
  const value = ownValue(json, key);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : textAt(json, key);
}

function collateralOf(value: unknown): Collateral | undefined {
  if (value === undefined || value === null) return undefined;
  const json = objectAt(value, 'collateral');
  const read = (key: (typeof COLLATERAL)[number]): string => {
    const found = textAt(json, key, `collateral.${key}`);
    if (found === undefined) throw new EvidenceError(`collateral.${key} is missing.`);
    return found;
  };
  const pck = textAt(json, 'pck_certificate_chain');
  return {
    ...(Object.fromEntries(COLLATERAL.map((key) => [key, read(key)])) as Record<
      (typeof COLLATERAL)[number],
      string
    >),
    ...(pck === undefined ? {} : { pck_certificate_chain: pck }),
  };
}

function claimsOf(value: unknown): Claims | undefined {
  if (value === undefined || value === null) return undefined;
  const json = objectAt(value, 'claims');
  const claims: Claims = {};
  for (const key of CLAIMS) {
    const text = textAt(json, key, `claims.${key}`);
    if (text !== undefined) claims[key] = text;
  }
  return claims;
}

function partsOf(file: Json): Json {
  if (file.format !== undefined) return objectAt(file.evidence, 'evidence');
  if (file.quote !== undefined || file.intel_quote !== undefined || !file.evidence) return file;
  // The API's answer has the certificates next to the evidence. Null means none, although its quotes come from some.
  const evidence = objectAt(file.evidence, 'evidence');
  const isMissing = file.certificate_chain === null && typeof evidence.quote === 'string';
  return { ...evidence, certificate_chain: isMissing ? '' : file.certificate_chain };
}

function simulatedOf(json: Json): boolean {
  const { simulated } = json;
  // A simulation marker must not be lost because of an unexpected type.
  return simulated !== undefined && simulated !== null && simulated !== false;
}

/**
 * Parses an evidence file: our own bundle, the API's answer about a CVM, a dstack guest's raw GetQuote response, a
 * model's attestation report (with `intel_quote` and `nvidia_payload`), or NVIDIA's evidence alone.
 * @throws {EvidenceError} with a message for the user who supplied the file.
 */
export function parseEvidence(text: string): Evidence {
  if (text.length > MAX_CHARACTERS) throw new EvidenceError('The file is too long to be evidence.');
  const json = readJson(text);
  if ('fault' in json) throw new EvidenceError(`The evidence is unreadable: the file ${json.fault}.`);
  const file = objectAt(json.value, 'The file');
  if (file.format !== undefined && file.format !== EVIDENCE_FORMAT)
    throw new EvidenceError(`The file is not of format ${EVIDENCE_FORMAT}.`);
  if (file.format !== undefined && file.version !== EVIDENCE_VERSION)
    throw new EvidenceError(
      `The file has version ${JSON.stringify(file.version)?.slice(0, 20)}; this program reads version ${EVIDENCE_VERSION}.`,
    );
  // NVIDIA's evidence may also be a separate file.
  if (file.format === undefined && file.evidence_list !== undefined) return { nvidia_payload: text };
  const parts = partsOf(file);
  const evidence: Evidence = {
    quote: textAt(parts, 'quote') ?? textAt(parts, 'intel_quote'),
    event_log: jsonTextAt(parts, 'event_log'),
    app_compose: textAt(parts, 'app_compose'),
    vm_config: jsonTextAt(parts, 'vm_config'),
    mr_config: textAt(parts, 'mr_config'),
    certificate_chain: textAt(parts, 'certificate_chain'),
    collateral: collateralOf(parts.collateral),
    claims: claimsOf(parts.claims),
    nvidia_payload: jsonTextAt(parts, 'nvidia_payload'),
    ...(simulatedOf(parts) ? { simulated: true } : {}),
  };
  if (Object.values(evidence).every((part) => part === undefined))
    throw new EvidenceError('The file contains no evidence.');
  return evidence;
}
