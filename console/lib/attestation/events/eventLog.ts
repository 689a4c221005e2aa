// The guest's event log and its replay. RTMR_new = SHA384(RTMR_old ‖ digest), from 48 zero bytes. Boot events
// (imr 0 to 2) count by their digest. Runtime events (imr 3) count by the hash of name and payload, never by
// the included digest: 0.6 guests omit it, and it proves nothing about the payload.

import { sha384 } from '@noble/hashes/sha2.js';
import { cutWhole } from '../../texts/cutWhole';
import { bytesToHex, concatBytes, hasLoneSurrogate, hexToBytes, utf8 } from '../../bytes';
import { readJson } from '../json';
import type { EventLogEntry } from '../types';
import { ownValue } from '../../ownValue';

export class EventLogError extends Error {
  override name = 'EventLogError';
}

/** dstack's own event type, used by all runtime events. */
export const RUNTIME_EVENT = 0x0800_0001;
const SYSTEM_READY = 'system-ready';

const MAX_CHARACTERS = 2_097_152;
const MAX_EVENTS = 4096;
const MAX_NAME = 1024;

type Imr = 0 | 1 | 2 | 3;
export interface LogEvent extends EventLogEntry {
  imr: Imr;
}

function asEvent(value: unknown, i: number): LogEvent {
  const fail = (why: string): never => {
    throw new EventLogError(`Entry ${i + 1} of the event log ${why}.`);
  };
  if (typeof value !== 'object' || value === null) return fail('is not an object');
  const entry = value as Readonly<Record<string, unknown>>;
  const { imr, event_type, version } = entry;
  if (imr !== 0 && imr !== 1 && imr !== 2 && imr !== 3) return fail('has no imr from 0 to 3');
  if (typeof event_type !== 'number' || !Number.isInteger(event_type) || event_type < 0)
    return fail('has no event_type');
  if (version !== undefined && version !== null && version !== 1 && version !== 2)
    return fail('has a version other than 1 and 2');
  const text = (key: string): string => {
    const found = ownValue(entry, key) ?? '';
    return typeof found === 'string' ? found : fail(`has a ${key} that is not a string`);
  };
  const event = text('event');
  if (event.length > MAX_NAME || hasLoneSurrogate(event)) fail('has a name that is too long or not a string');
  const digest = text('digest').toLowerCase();
  if (digest !== '' && !/^[0-9a-f]{96}$/.test(digest)) fail('has a digest that is not 48 bytes of hex');
  const measured = imr === 3 && event_type === RUNTIME_EVENT;
  if (!measured && digest === '') fail('has no digest, which only runtime events may omit');
  const event_payload = text('event_payload').toLowerCase();
  if (measured && !hexToBytes(event_payload)) fail('has a payload that is not hex');
  return {
    imr,
    event_type,
    digest,
    event,
    event_payload,
    version: version === 2 ? 2 : 1,
    preimage: text('preimage').toLowerCase() || undefined,
  };
}

/** @throws {EventLogError} with a full sentence. */
export function parseEventLog(text: string): LogEvent[] {
  if (text.length > MAX_CHARACTERS) throw new EventLogError('The event log is too long.');
  const json = readJson(text);
  if ('fault' in json) throw new EventLogError(`The event log ${json.fault}.`);
  const entries = json.value;
  if (!Array.isArray(entries)) throw new EventLogError('The event log is not a list.');
  if (entries.length > MAX_EVENTS)
    throw new EventLogError(`The event log has ${entries.length} entries; at most ${MAX_EVENTS} are read.`);
  return entries.map(asEvent);
}

/** Returns whether the event's digest matches its name and payload. */
const isRuntime = (event: LogEvent): boolean => event.imr === 3 && event.event_type === RUNTIME_EVENT;

/**
 * Returns the bytes by which a runtime event is measured. V2 is RFC 8785 JSON, which JSON.stringify produces
 * for these three keys.
 */
function preimageOf(event: Pick<EventLogEntry, 'event' | 'event_payload' | 'version'>): Uint8Array {
  if (event.version === 2)
    return utf8(
      JSON.stringify({ name: event.event, payload: event.event_payload.toLowerCase(), type: RUNTIME_EVENT }),
    );
  const type = new Uint8Array(4);
  new DataView(type.buffer).setUint32(0, RUNTIME_EVENT, true);
  return concatBytes(
    type,
    utf8(':'),
    utf8(event.event),
    utf8(':'),
    hexToBytes(event.event_payload) ?? new Uint8Array(0),
  );
}

export const digestOf = (event: Pick<EventLogEntry, 'event' | 'event_payload' | 'version'>): Uint8Array =>
  sha384(preimageOf(event));

/** Returns each event's digest: recomputed for runtime events, as given for boot events. */
export function measuredDigests(events: readonly LogEvent[]): Uint8Array[] {
  return events.map((event) =>
    isRuntime(event) ? digestOf(event) : (hexToBytes(event.digest) ?? new Uint8Array(48)),
  );
}

/** Returns the first runtime event whose digest or preimage contradicts its payload, or null. */
export function contradiction(events: readonly LogEvent[], digests: readonly Uint8Array[]): string | null {
  for (const [i, event] of events.entries()) {
    const measured = digests[i];
    if (!measured || !isRuntime(event)) continue;
    const where = `Entry ${i + 1} of the event log, “${cutWhole(event.event, 80)}”,`;
    if (event.digest !== '' && event.digest !== bytesToHex(measured))
      return `${where} has a digest that doesn’t match its name and payload.`;
    if (event.preimage !== undefined && event.preimage !== bytesToHex(preimageOf(event)))
      return `${where} has a preimage that doesn’t match its name and payload.`;
  }
  return null;
}

export type Registers = [string, string, string, string];

/** Returns RTMR0 to RTMR3 after all these events, in hex. */
export function replay(events: readonly LogEvent[], digests: readonly Uint8Array[]): Registers {
  const registers = [new Uint8Array(48), new Uint8Array(48), new Uint8Array(48), new Uint8Array(48)];
  for (const [i, { imr }] of events.entries()) {
    const [digest, register] = [digests[i], registers[imr]];
    if (digest && register) registers[imr] = new Uint8Array(sha384(concatBytes(register, digest)));
  }
  return registers.map(bytesToHex) as Registers;
}

/** Events the system writes once. `init-script-hash` occurs once per script. */
const SYSTEM_NAMES = [
  'system-preparing',
  'rootfs-hash',
  'app-id',
  'compose-hash',
  'ca-cert-hash',
  'init-script-hash',
  'gpu-policy-hash',
  'gpu-attestation',
  'instance-id',
  'boot-mr-done',
  'mr-kms',
  'os-image-hash',
  'key-provider',
  'storage-fs',
  SYSTEM_READY,
] as const;
const SIZES: Readonly<Record<string, readonly number[]>> = {
  'app-id': [20],
  'compose-hash': [32],
  'instance-id': [0, 20],
  'os-image-hash': [32],
  'gpu-policy-hash': [32],
};
const NEEDED = ['app-id', 'compose-hash', 'instance-id', 'key-provider'] as const;

export interface SystemValues {
  /** Payload by name, hex. */
  values: ReadonlyMap<string, string>;
  initScriptHashes: string[];
  /** Events the app added after system-ready; these may not use system names. */
  appEvents: string[];
}

/**
 * Returns the system's own values: runtime events of imr 3 before `system-ready`, each at most once. After
 * that, the app can extend RTMR3 too.
 * @throws {EventLogError}
 */
export function systemValues(events: readonly LogEvent[]): SystemValues {
  const third = events.filter((event) => event.imr === 3);
  const ready = third.findIndex((event) => isRuntime(event) && event.event === SYSTEM_READY);
  if (ready < 0)
    throw new EventLogError(
      `The “${SYSTEM_READY}” event is missing, so system events can’t be distinguished from app events.`,
    );
  const values = new Map<string, string>();
  const initScriptHashes: string[] = [];
  for (const event of third.slice(0, ready)) {
    if (!isRuntime(event))
      throw new EventLogError(`An event before “${SYSTEM_READY}” is not a runtime event.`);
    // A colon could move bytes between name and payload without changing the digest.
    if (!/^[A-Za-z0-9._-]+$/.test(event.event))
      throw new EventLogError(
        `An event before “${SYSTEM_READY}” has an invalid name, “${cutWhole(event.event, 80)}”.`,
      );
    if (event.event === 'init-script-hash') initScriptHashes.push(event.event_payload);
    else if (values.has(event.event))
      throw new EventLogError(`The event “${event.event}” occurs twice before “${SYSTEM_READY}”.`);
    values.set(event.event, event.event_payload);
  }
  const after = third.slice(ready + 1).map((event) => event.event);
  const late = after.find((name) => (SYSTEM_NAMES as readonly string[]).includes(name));
  if (late !== undefined)
    throw new EventLogError(
      `The app wrote an event “${late}” after “${SYSTEM_READY}”; only the system may use that name.`,
    );
  for (const name of NEEDED)
    if (!values.has(name))
      throw new EventLogError(`The event “${name}” is missing before “${SYSTEM_READY}”.`);
  for (const [name, sizes] of Object.entries(SIZES)) {
    const value = values.get(name);
    if (value !== undefined && !sizes.includes(value.length / 2))
      throw new EventLogError(
        `The event “${name}” has ${value.length / 2} bytes, not ${sizes.join(' or ')}.`,
      );
  }
  return { values, initScriptHashes, appEvents: after.map((name) => cutWhole(name, 80)) };
}
