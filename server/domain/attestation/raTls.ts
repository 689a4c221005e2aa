import { gunzipSync } from 'node:zlib';
import {
  childrenOf,
  context,
  DerError,
  expectTag,
  oidOf,
  readDer,
  sequenceOf,
  TAG,
} from '../../../console/lib/attestation/x509/der';
import { readJson } from '../../../console/lib/attestation/json';
import { AttestationError, readVersionedAttestation, type GuestEvent } from './raTlsAttestation';
import { MsgpackError } from '../kms/msgpack';

/**
 * The data dstack embeds in certificates (RA-TLS), parsed but not verified, for a verifier. Omits unreadable
 * parts.
 */
export interface RaTls {
  /** The TEE it claims to come from; null if it names none. */
  platform: string | null;
  /** TDX quote, hex. */
  quote: string | null;
  /** The event log entries that belong to the quote; null when missing or unreadable. */
  events: readonly (GuestEvent | Record<string, unknown>)[] | null;
  /** JSON text. */
  vm_config: string | null;
  /** 40 hex. */
  app_id: string | null;
  /** "app:ca", "app:custom", … */
  usage: string | null;
}

const ARC = '1.3.6.1.4.1.62397.1';
const OID = {
  quote: `${ARC}.1`,
  event_log: `${ARC}.2`,
  app_id: `${ARC}.3`,
  usage: `${ARC}.4`,
  attestation: `${ARC}.8`,
} as const;
/** Precedes a compressed event log. */
const GZIP_MARK = Buffer.from('ELGZv1');
const MAX_LOG_BYTES = 4 * 1024 * 1024;

/** @param der a certificate */
export function raTls(der: Uint8Array): RaTls {
  const found = extensions(der);
  const usage = found.get(OID.usage);
  const app_id = found.get(OID.app_id);
  const facts = {
    app_id: app_id?.length === 20 ? Buffer.from(app_id).toString('hex') : null,
    usage: usage ? Buffer.from(usage).toString('utf8').slice(0, 64) : null,
  };
  const versioned = found.get(OID.attestation);
  if (versioned) {
    const read = attempt(() => readVersionedAttestation(versioned));
    return {
      ...facts,
      platform: read?.platform ?? null,
      quote: read?.quote ? Buffer.from(read.quote).toString('hex') : null,
      events: read?.events ?? null,
      vm_config: read?.config ?? null,
    };
  }
  const quote = found.get(OID.quote);
  const log = found.get(OID.event_log);
  return {
    ...facts,
    platform: quote ? 'tdx' : null,
    quote: quote ? Buffer.from(quote).toString('hex') : null,
    events: log ? readLog(log) : null,
    vm_config: null,
  };
}

function readLog(bytes: Uint8Array): Record<string, unknown>[] | null {
  const text = attempt(() =>
    GZIP_MARK.equals(bytes.subarray(0, GZIP_MARK.length))
      ? gunzipSync(bytes.subarray(GZIP_MARK.length), { maxOutputLength: MAX_LOG_BYTES }).toString('utf8')
      : Buffer.from(bytes).toString('utf8'),
  );
  return text === null ? null : eventList(text);
}

/** Parses a JSON list of events; null for anything else, and for nesting too deep to serialize again. */
export function eventList(text: string): Record<string, unknown>[] | null {
  const json = readJson(text);
  return 'value' in json && Array.isArray(json.value) ? (json.value as Record<string, unknown>[]) : null;
}

/** Extensions by object identifier; dstack wraps each of its values in an extra octet string. */
function extensions(der: Uint8Array): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  attempt(() => {
    const [tbs] = sequenceOf(readDer(der, TAG.sequence));
    const last = sequenceOf(tbs).find((part) => part.tag === context(3));
    for (const extension of last ? sequenceOf(childrenOf(last)[0]) : []) {
      const parts = sequenceOf(extension);
      const name = oidOf(parts[0]);
      if (!name.startsWith(`${ARC}.`) || found.has(name)) continue;
      const { content } = expectTag(parts.at(-1), TAG.octetString);
      found.set(name, expectTag(readDer(content), TAG.octetString).content);
    }
  });
  return found;
}

/** Null for malformed input. Other errors are bugs and propagate. */
function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    const expected =
      error instanceof DerError ||
      error instanceof AttestationError ||
      error instanceof MsgpackError ||
      (error instanceof Error && 'code' in error);
    if (!expected) throw error;
    return null;
  }
}
