import { ownValue } from '../../../console/lib/ownValue';
import { X509Certificate } from 'node:crypto';
import { readJson } from '../../../console/lib/attestation/json';
import type { Claims, Evidence } from '../../../console/lib/attestation/types';
import { eventList, raTls, type RaTls } from './raTls';

/** The guest agent's report through its host. */
export interface GuestWords {
  app_id: string;
  instance_id: string;
  /** PEM, leaf first. */
  app_cert: string;
  /** JSON text; empty when the guest doesn't publish it. */
  tcb_info: string;
  device_id: string;
}

/** Parts only the guest can provide; checks depend on them. */
export const EVIDENCE_PARTS = ['quote', 'event_log', 'vm_config'] as const;
export type EvidencePart = (typeof EVIDENCE_PARTS)[number];

export interface GuestEvidence {
  evidence: Omit<Evidence, 'collateral'>;
  /** Missing parts and the reasons, in sentences. */
  gaps: string[];
  /** PEM: only the chain's certificates, unmodified. */
  certificate_chain: string | null;
}

/** Size limits from the API document; anything longer is not evidence. */
const MAX_LENGTH = {
  quote: 131_072,
  event_log: 2_097_152,
  app_compose: 1_000_000,
  vm_config: 262_144,
} as const;
const MAX_CHAIN = 262_144;

/**
 * Extracts the parts of the evidence from a guest's response. The quote is the one in its certificate, with
 * the events of that moment; the boot events, which certificates omit to stay small, come from its
 * measurements. @param app_compose the text this server sent, for guests that don't publish theirs: the quote
 * says which one was measured
 */
export function guestEvidence(
  guest: GuestWords,
  { app_compose, local, public_tcbinfo }: { app_compose: string; local: boolean; public_tcbinfo: boolean },
): GuestEvidence {
  const chain = certificatesIn(guest.app_cert);
  const [leaf] = chain;
  const proof = leaf ? raTls(leaf.raw) : null;
  const tcb = objectOf(guest.tcb_info);
  const compose = textOf(tcb, 'app_compose') ?? app_compose;
  const parts = {
    quote: proof?.quote ?? undefined,
    event_log: eventLog(proof, tcb),
    app_compose: compose === '' ? undefined : compose,
    vm_config: proof?.vm_config ?? textOf(tcb, 'vm_config'),
  };
  const gaps: string[] = [];
  if (!local && !leaf) gaps.push('The guest returned no certificate, and therefore no quote.');
  else if (!parts.quote)
    gaps.push(
      local
        ? 'There is no quote, because the local teepod has no TEE hardware.'
        : withoutQuote(proof?.platform ?? null),
    );
  if (!tcb)
    gaps.push(
      public_tcbinfo
        ? 'The guest returned no measurements.'
        : "The guest doesn't publish its measurements, because public_tcbinfo is off.",
    );
  const evidence: Omit<Evidence, 'collateral'> = {
    claims: claimsOf(guest, tcb),
    simulated: local || (tcb !== null && tcb.simulated !== undefined && tcb.simulated !== false),
  };
  for (const name of ['quote', 'event_log', 'app_compose', 'vm_config'] as const) {
    const text = parts[name];
    if (text === undefined) continue;
    if (text.length > MAX_LENGTH[name])
      gaps.push(`The guest’s ${name} is too long to be one and was left out.`);
    else evidence[name] = text;
  }
  const pem = chain.map((one) => one.toString()).join('');
  return { evidence, gaps, certificate_chain: pem === '' || pem.length > MAX_CHAIN ? null : pem };
}

/** TEEs that the verifier doesn't support, by their name in an attestation. */
const OTHER_TEES: Readonly<Record<string, string>> = {
  'sev-snp': 'AMD SEV-SNP',
  'nitro-enclave': 'AWS Nitro Enclaves',
};

function withoutQuote(platform: string | null): string {
  const tee = platform === null ? undefined : ownValue(OTHER_TEES, platform);
  return tee === undefined
    ? 'The guest’s certificate contains no TDX quote.'
    : `The guest’s certificate contains an attestation of ${tee} instead of a TDX quote. It isn’t verified here: use the tools of dstack.`;
}

type Json = Readonly<Record<string, unknown>>;

function objectOf(text: string): Json | null {
  if (text === '') return null;
  const json = readJson(text);
  if ('fault' in json) return null;
  const { value } = json;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
}

const textOf = (json: Json | null, name: string): string | undefined => {
  const value = json === null ? undefined : ownValue(json, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

type Events = readonly Readonly<Record<string, unknown>>[];

/** The quote's events after the boot events: which of the two logs has which depends on the guest version. */
function eventLog(proof: RaTls | null, tcb: Json | null): string | undefined {
  const raw = tcb?.event_log;
  const told = Array.isArray(raw) ? (raw as Events) : typeof raw === 'string' ? eventList(raw) : null;
  const quoted = proof?.events as Events | null | undefined;
  if (!quoted || quoted.length === 0) return told && told.length > 0 ? JSON.stringify(told) : undefined;
  const boots = (events: Events) => events.filter((event) => event?.imr !== 3);
  const hasBoot = (events: Events) => events.some((event) => event?.imr === 1 || event?.imr === 2);
  if (hasBoot(quoted) || !told || !hasBoot(told)) return JSON.stringify(quoted);
  return JSON.stringify([...boots(told), ...quoted.filter((event) => event?.imr === 3)]);
}

const MEASURED = [
  'mrtd',
  'rtmr0',
  'rtmr1',
  'rtmr2',
  'rtmr3',
  'mr_aggregated',
  'compose_hash',
] as const satisfies readonly (keyof Claims)[];

function claimsOf(guest: GuestWords, tcb: Json | null): Claims {
  const claims: Claims = {};
  const add = (name: keyof Claims, value: string | undefined) => {
    if (value !== undefined && /^[0-9a-fA-F]{1,128}$/.test(value)) claims[name] = value.toLowerCase();
  };
  for (const name of MEASURED) add(name, textOf(tcb, name));
  add('app_id', guest.app_id);
  add('instance_id', guest.instance_id);
  add('device_id', guest.device_id);
  return claims;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const MAX_CERTIFICATES = 20;

/** Returns a PEM text's certificates in order, skipping anything else. */
export function certificatesIn(pem: string): X509Certificate[] {
  return (pem.match(BLOCK) ?? []).slice(0, MAX_CERTIFICATES).flatMap((block) => {
    try {
      return [new X509Certificate(block)];
    } catch {
      return [];
    }
  });
}
