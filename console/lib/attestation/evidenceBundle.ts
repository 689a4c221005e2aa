// The file a person downloads to verify a CVM with the console switched off. It holds evidence only: what to expect and
// what to accept is for whoever verifies to say.

import type { Claims, Collateral, Evidence } from './types';

export const EVIDENCE_FORMAT = 'teehouse.evidence';
export const EVIDENCE_VERSION = 1;

export interface EvidenceBundle {
  format: typeof EVIDENCE_FORMAT;
  version: typeof EVIDENCE_VERSION;
  /** For people: not evidence, checked by nothing. */
  about: { name?: string | undefined; vm_uuid?: string | undefined; collected_at?: string | undefined };
  evidence: Evidence;
}

export class EvidenceError extends Error {
  override name = 'EvidenceError';
}

/** The text of the file; `parseEvidence` reads it back to the same evidence, to the byte. */
export function evidenceBundle(evidence: Evidence, about: EvidenceBundle['about'] = {}): string {
  const bundle: EvidenceBundle = { format: EVIDENCE_FORMAT, version: EVIDENCE_VERSION, about, evidence };
  return `${JSON.stringify(bundle, null, 2)}\n`;
}

const MOST_CHARACTERS = 8_388_608;

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
  const value = json[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new EvidenceError(`${what} is not text.`);
  return value;
}

/** Text, or the same as JSON: guests answer text, the console's API a list. */
function jsonTextAt(json: Json, key: string): string | undefined {
  const value = json[key];
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

function simulatedOf(json: Json): boolean {
  const { simulated } = json;
  // Whatever it is, a word like this must never be lost by being of another type.
  return simulated !== undefined && simulated !== null && simulated !== false;
}

/**
 * The evidence in a file: a bundle of ours, or the bare answer of a dstack guest's GetQuote.
 * @throws {EvidenceError} with a sentence for the person who gave the file.
 */
export function parseEvidence(text: string): Evidence {
  if (text.length > MOST_CHARACTERS) throw new EvidenceError('The file is too long to be evidence.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new EvidenceError('The file is not JSON.');
  }
  const file = objectAt(value, 'The file');
  if (file.format !== undefined && file.format !== EVIDENCE_FORMAT)
    throw new EvidenceError(`The file is not of format ${EVIDENCE_FORMAT}.`);
  if (file.format !== undefined && file.version !== EVIDENCE_VERSION)
    throw new EvidenceError(
      `The file has version ${JSON.stringify(file.version)?.slice(0, 20)}; this program reads version ${EVIDENCE_VERSION}.`,
    );
  const json = file.format === undefined ? file : objectAt(file.evidence, 'evidence');
  const evidence: Evidence = {
    quote: textAt(json, 'quote'),
    event_log: jsonTextAt(json, 'event_log'),
    app_compose: textAt(json, 'app_compose'),
    vm_config: jsonTextAt(json, 'vm_config'),
    mr_config: textAt(json, 'mr_config'),
    collateral: collateralOf(json.collateral),
    claims: claimsOf(json.claims),
    ...(simulatedOf(json) ? { simulated: true } : {}),
  };
  if (Object.values(evidence).every((part) => part === undefined))
    throw new EvidenceError('The file holds no evidence.');
  return evidence;
}
