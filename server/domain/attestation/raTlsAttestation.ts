import { readMsgpack, type Msgpack } from '../kms/msgpack';

/** An attestation as dstack embeds it in certificates: the parts the verifier uses, unverified. */
export interface GuestAttestation {
  /** The TEE it claims to come from, such as `tdx` or `sev-snp`. */
  platform: string | null;
  /** TDX quote. */
  quote: Uint8Array | null;
  events: GuestEvent[];
  /** `vm_config`, JSON text; null where the format has none. */
  config: string | null;
}

/** One event log entry, with the names of its JSON form. */
export interface GuestEvent {
  imr: number;
  event_type: number;
  /** Hex; empty where the guest omitted it. */
  digest: string;
  event: string;
  event_payload: string;
  version?: 2;
}

export class AttestationError extends Error {
  override name = 'AttestationError';
}

const RUNTIME_EVENT = 0x0800_0001;
const MAX_EVENTS = 4096;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/**
 * Parses dstack's "versioned attestation": SCALE with a leading zero (V0), or a MessagePack map (V1). @throws
 * {AttestationError | MsgpackError}
 */
export function readVersionedAttestation(bytes: Uint8Array): GuestAttestation {
  return bytes[0] === 0 ? readScale(bytes) : readMap(readMsgpack(bytes));
}

// ---- V1

function readMap(value: Msgpack): GuestAttestation {
  const platform = mapAt(mapOf(value, 'the attestation'), 'platform');
  const stack = mapAt(mapAt(mapOf(value, 'the attestation'), 'stack'), 'data');
  const kind = platform.get('kind');
  const config = stack.get('config');
  const events = eventsOf(stack.get('runtime_events'), runtimeEvent);
  const rest = {
    platform: typeof kind === 'string' ? kind : null,
    events,
    config: typeof config === 'string' && config !== '' ? config : null,
  };
  // Hardware other than TDX attests differently, which the verifier doesn't support.
  if (kind !== 'tdx' && kind !== 'gcp-tdx') return { quote: null, ...rest };
  const data = mapAt(platform, 'data');
  const log = eventsOf(data.get('event_log'), logEvent);
  return {
    platform: rest.platform,
    quote: bytesOf(data.get('quote')),
    // The log repeats the runtime events; both come from the guest, and only one can be replayed.
    events: log.some((event) => event.imr === 3) ? log : [...log, ...events],
    config: rest.config,
  };
}

function mapOf(value: Msgpack | undefined, what: string): Map<string, Msgpack> {
  if (value instanceof Map) return value;
  throw new AttestationError(`${what} is not a map`);
}
const mapAt = (map: Map<string, Msgpack>, key: string) => mapOf(map.get(key), key);

/** Bytes, which serde also writes as a list of numbers. */
function bytesOf(value: Msgpack | undefined): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'number' && one >= 0 && one < 256))
    return Uint8Array.from(value as number[]);
  if (value === undefined || value === null) return new Uint8Array(0);
  throw new AttestationError('something that should be bytes is not');
}

function eventsOf(
  value: Msgpack | undefined,
  read: (entry: Map<string, Msgpack>) => GuestEvent,
): GuestEvent[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.length > MAX_EVENTS)
    throw new AttestationError('the event log is not a list, or too long');
  return value.map((entry) => read(mapOf(entry, 'an event')));
}

const nameOf = (entry: Map<string, Msgpack>) => {
  const name = entry.get('event');
  return typeof name === 'string' ? name : '';
};
const numberOf = (value: Msgpack | undefined) => (typeof value === 'number' ? value : 0);
const versionOf = (entry: Map<string, Msgpack>): { version?: 2 } =>
  /^(v)?2$/i.test(String(entry.get('version') ?? '')) ? { version: 2 } : {};

const logEvent = (entry: Map<string, Msgpack>): GuestEvent => ({
  imr: numberOf(entry.get('imr')),
  event_type: numberOf(entry.get('event_type')),
  digest: hex(bytesOf(entry.get('digest'))),
  event: nameOf(entry),
  event_payload: hex(bytesOf(entry.get('event_payload'))),
  ...versionOf(entry),
});

const runtimeEvent = (entry: Map<string, Msgpack>): GuestEvent => ({
  imr: 3,
  event_type: RUNTIME_EVENT,
  digest: '',
  event: nameOf(entry),
  event_payload: hex(bytesOf(entry.get('payload'))),
  ...versionOf(entry),
});

// ---- V0

/** Parity SCALE, in the order of dstack's fields: quote, runtime events, report data, configuration. */
function readScale(bytes: Uint8Array): GuestAttestation {
  const reader = new Scale(bytes.subarray(1));
  const kind = reader.byte();
  if (kind !== 0) return { platform: null, quote: null, events: [], config: null };
  const quote = reader.bytes();
  const log = reader.list(() => ({
    imr: reader.u32(),
    event_type: reader.u32(),
    digest: hex(reader.bytes()),
    event: reader.text(),
    event_payload: hex(reader.bytes()),
  }));
  const runtime = reader.list(() => ({
    imr: 3,
    event_type: RUNTIME_EVENT,
    digest: '',
    event: reader.text(),
    event_payload: hex(reader.bytes()),
  }));
  reader.take(64);
  const config = reader.text();
  return {
    platform: 'tdx',
    quote,
    events: log.some((event) => event.imr === 3) ? log : [...log, ...runtime],
    config: config === '' ? null : config,
  };
}

class Scale {
  #at = 0;
  constructor(private readonly source: Uint8Array) {}

  take(length: number): Uint8Array {
    if (length > this.source.length - this.#at) throw new AttestationError('the attestation is cut off');
    this.#at += length;
    return this.source.subarray(this.#at - length, this.#at);
  }
  byte(): number {
    return this.take(1)[0] ?? 0;
  }
  u32(): number {
    return this.take(4).reduceRight((sum, byte) => sum * 256 + byte, 0);
  }
  /** Compact integer: the two low bits encode its length. */
  #compact(): number {
    const first = this.byte();
    const mode = first & 3;
    if (mode === 0) return first >> 2;
    if (mode === 3) throw new AttestationError('a length is too large');
    const rest = this.take(mode === 1 ? 1 : 3).reduceRight((sum, byte) => sum * 256 + byte, 0);
    return Math.floor((rest * 256 + first) / 4);
  }
  bytes(): Uint8Array {
    return this.take(this.#compact());
  }
  text(): string {
    return Buffer.from(this.bytes()).toString('utf8');
  }
  list<T>(item: () => T): T[] {
    const length = this.#compact();
    if (length > MAX_EVENTS) throw new AttestationError('the event log is too long');
    return Array.from({ length }, item);
  }
}
