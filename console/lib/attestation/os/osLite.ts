// Expected measurements of a 0.6 "lite" OS image on a given machine shape. The image ships a small file,
// authenticated by hash, instead of being measured completely (dstack's dstack-mr, variant "lite"): its
// digests, the firmware's MRTD and the layout of the firmware's hand-off block (TD HOB). MRTD and RTMR0 to
// RTMR2 follow from it without the image.

import { sha256, sha384 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8 } from '../../bytes';
import { type Cbor, CborError, readCbor } from '../cbor';
import type { LogEvent } from '../events/eventLog';
import { readJson } from '../json';
import { ownValue } from '../../ownValue';

/** `mismatch`: the input contradicts itself. `unsupported`: it can't be computed here. */
export class OsError extends Error {
  override name = 'OsError';
  readonly kind: 'mismatch' | 'unsupported';
  constructor(kind: OsError['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface VmConfig {
  osImageHash: string | undefined;
  memorySize: number | undefined;
  qemuVersion: string | undefined;
  /** Lite images only. */
  lite: { measurement: Uint8Array; checksumFile: Uint8Array } | undefined;
  /** MrConfig V3 document that older hosts store here. */
  mrConfig: string | undefined;
  /** GPU configuration ("num_gpus 1"); undefined if it names none. */
  gpus: string | undefined;
}

const GPU_COUNTS = ['num_gpus', 'num_nvswitches'] as const;

/** Any nonzero value counts: a quoted number or a list of devices also names one. */
function gpusOf(config: Readonly<Record<string, unknown>>): string | undefined {
  const named = GPU_COUNTS.map((key) => [key, ownValue(config, key)] as const).filter(
    ([, value]) => value !== undefined && value !== 0 && value !== null,
  );
  const list = config.gpus;
  const values = named.map(([key, value]) => `${key} ${JSON.stringify(value)?.slice(0, 40)}`);
  const empty = typeof list !== 'object' || list === null || JSON.stringify(Object.values(list)).length <= 4;
  return [...values, ...(empty ? [] : ['gpus'])].join(', ') || undefined;
}

const MAX_CHARACTERS = 262_144;

function base64(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** @throws {OsError} */
export function parseVmConfig(text: string): VmConfig {
  if (text.length > MAX_CHARACTERS) throw new OsError('mismatch', 'The VM configuration is too long.');
  const json = readJson(text);
  if ('fault' in json) throw new OsError('mismatch', `The VM configuration ${json.fault}.`);
  if (typeof json.value !== 'object' || json.value === null)
    throw new OsError('mismatch', 'The VM configuration is not a JSON object.');
  const config = json.value as Readonly<Record<string, unknown>>;
  const string = (key: string): string | undefined => {
    const value = ownValue(config, key);
    return typeof value === 'string' ? value : undefined;
  };
  const parts = (config.tdx_measurement ?? {}) as Readonly<Record<string, unknown>>;
  const [measurement, checksumFile] = [base64(parts.measurement), base64(parts.checksum_file)];
  return {
    osImageHash: string('os_image_hash')?.toLowerCase(),
    memorySize: typeof config.memory_size === 'number' ? config.memory_size : undefined,
    qemuVersion: string('qemu_version'),
    lite:
      string('tdx_attestation_variant') === 'lite' && measurement && checksumFile
        ? { measurement, checksumFile }
        : undefined,
    mrConfig: string('mr_config'),
    gpus: gpusOf(config),
  };
}

/** Contents of an image's measurement file. */
export interface Measurement {
  kernel: Uint8Array;
  initrd: Uint8Array;
  cmdline: Uint8Array;
  ovmf: string;
  singlePass: Uint8Array;
  twoPass: Uint8Array;
  tdHob: Uint8Array;
}

const member = (map: Cbor | undefined, key: string): Cbor | undefined =>
  map instanceof Map ? map.get(key) : undefined;

function bytesAt(map: Cbor | undefined, key: string, length?: number): Uint8Array {
  const value = member(map, key);
  if (!(value instanceof Uint8Array) || (length !== undefined && value.length !== length))
    throw new OsError('unsupported', `The image’s measurement has no ${key} this verifier supports.`);
  return value;
}

function readMeasurement(bytes: Uint8Array): Measurement {
  let root: Cbor;
  try {
    root = readCbor(bytes);
  } catch (error) {
    if (!(error instanceof CborError)) throw error;
    throw new OsError('mismatch', `The image’s measurement is not CBOR: ${error.message}.`);
  }
  if (member(root, 'version') !== 3)
    throw new OsError('unsupported', 'The image’s measurement does not have version 3.');
  const image = member(root, 'image');
  const tdvf = member(root, 'tdvf');
  const mrtd = member(tdvf, 'mrtd');
  const ovmf = member(tdvf, 'ovmf');
  return {
    kernel: bytesAt(image, 'kernel_authenticode', 48),
    initrd: bytesAt(image, 'initrd_sha384', 48),
    cmdline: bytesAt(image, 'cmdline_sha384', 48),
    ovmf: typeof ovmf === 'string' ? ovmf : '',
    singlePass: bytesAt(mrtd, 'single_pass', 48),
    twoPass: bytesAt(mrtd, 'two_pass', 48),
    tdHob: bytesAt(tdvf, 'td_hob'),
  };
}

const PAGE = 4096;
/** From 2.75 GiB up, memory is split around the hole below 4 GiB. */
const SPLIT_FROM = 0xb000_0000;
const LOW_END = 0x8000_0000;
const HIGH_START = 0x1_0000_0000;
const MAX_RANGES = 256;
const MAX_MEMORY = 2 ** 46;

/** The layout's numbers: consecutive unsigned LEB128. */
function leb128(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let [value, scale] = [0, 1];
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (value > MAX_MEMORY)
      throw new OsError('unsupported', 'The layout of the hand-off block is too large.');
    if (byte < 0x80) {
      numbers.push(value);
      [value, scale] = [0, 1];
    }
  }
  return numbers;
}

interface Region {
  start: number;
  end: number;
  accepted: boolean;
}

/** All memory, unaccepted except for the ranges the firmware accepted for itself. */
function regionsOf(ranges: readonly { start: number; end: number }[], memory: number): Region[] {
  const regions: Region[] = [];
  let at = 0;
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > memory)
      throw new OsError('unsupported', 'The layout of the hand-off block overlaps itself or the memory.');
    if (start > at) regions.push({ start: at, end: start, accepted: false });
    regions.push({ start, end, accepted: true });
    at = end;
  }
  if (at < memory) regions.push({ start: at, end: memory, accepted: false });
  return regions;
}

/** The TD HOB from the firmware (UEFI PI 1.7 vol. 3 §5), without its end marker. */
export function tdHob(layout: Uint8Array, memory: number): Uint8Array {
  const [basePage = 0, hobPage = 0, count = -1, ...pairs] = leb128(layout);
  if (count < 0 || count > MAX_RANGES || pairs.length !== 2 * count)
    throw new OsError('unsupported', 'This verifier does not support the layout of the hand-off block.');
  const ranges = Array.from({ length: count }, (_, i) => {
    const start = (basePage + (pairs[2 * i] ?? 0)) * PAGE;
    return { start, end: start + (pairs[2 * i + 1] ?? 0) * PAGE };
  });
  const regions = regionsOf(ranges, memory);
  const last = regions.at(-1);
  if (last && memory >= SPLIT_FROM) {
    if (last.accepted || last.start >= LOW_END)
      throw new OsError('unsupported', 'The layout of the hand-off block leaves no memory to split.');
    regions.splice(
      -1,
      1,
      { ...last, end: LOW_END },
      { start: HIGH_START, end: HIGH_START + memory - LOW_END, accepted: false },
    );
  }
  const length = 56 + 48 * regions.length;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 1, true);
  view.setUint16(2, 56, true);
  view.setUint32(8, 9, true);
  view.setBigUint64(48, BigInt((basePage + hobPage) * PAGE + length + 8), true);
  for (const [i, region] of regions.entries()) {
    const at = 56 + 48 * i;
    view.setUint16(at, 3, true);
    view.setUint16(at + 2, 48, true);
    view.setUint32(at + 24, region.accepted ? 0 : 7, true);
    view.setUint32(at + 28, 7, true);
    view.setBigUint64(at + 32, BigInt(region.start), true);
    view.setBigUint64(at + 40, BigInt(region.end - region.start), true);
  }
  return bytes;
}

const hexBytes = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Measurements of QEMU's firmware configuration file and the boot option; the same on every machine. */
const FIRMWARE_CONFIG =
  '344bc51c980ba621aaa00da3ed7436f7d6e549197dfe699515dfa2c6583d95e6412af21c097d473155875ffd561d6790';
const BOOT_OPTION =
  '23ada07f5261f12f34a0bd8e46760962d6b4d576a416f1fea1c64bc656b1d28eacf7047ae6e967c58fd2a98bfa74c298';
/** EFI_GLOBAL_VARIABLE and EFI_IMAGE_SECURITY_DATABASE (UEFI 2.10 §3.3, §32.4) in memory layout. */
const GLOBAL_VARIABLE = '61dfe48bca93d211aa0d00e098032b8c';
const SECURITY_DATABASE = 'cbb219d73a3d9645a3bcdad00e67656f';

/** SHA-384 of an empty variable's UEFI_VARIABLE_DATA. */
function emptyVariable(guid: string, name: string): Uint8Array {
  const bytes = new Uint8Array(32 + 2 * name.length);
  const view = new DataView(bytes.buffer);
  bytes.set(hexBytes(guid));
  view.setBigUint64(16, BigInt(name.length), true);
  for (let i = 0; i < name.length; i++) view.setUint16(32 + 2 * i, name.charCodeAt(i), true);
  return sha384(bytes);
}

/** ACPI tables depend on the host's QEMU: their digests come from the log, but their position is fixed. */
function acpiDigests(events: readonly LogEvent[]): Uint8Array[] {
  const digests = events.filter((event) => event.imr === 0 && event.event_type === 10);
  if (digests.length !== 3)
    throw new OsError('mismatch', 'The event log does not have the three ACPI events of RTMR0.');
  return digests.map((event) => hexBytes(event.digest));
}

const extend = (digests: readonly Uint8Array[]): string =>
  bytesToHex(
    digests.reduce<Uint8Array>(
      (register, digest) => sha384(concatBytes(register, digest)),
      new Uint8Array(48),
    ),
  );

export interface ExpectedMeasurements {
  osImageHash: string;
  mrtd: string;
  rtmr0: string;
  rtmr1: string;
  rtmr2: string;
}

/** Returns the expected digests of boot events in order; `acpi` are the host's three. */
export function bootDigests(
  measurement: Measurement,
  memory: number,
  acpi: readonly Uint8Array[],
): Uint8Array[][] {
  const separator = sha384(new Uint8Array(4));
  return [
    [
      sha384(tdHob(measurement.tdHob, memory)),
      hexBytes(FIRMWARE_CONFIG),
      ...['SecureBoot', 'PK', 'KEK'].map((name) => emptyVariable(GLOBAL_VARIABLE, name)),
      ...['db', 'dbx'].map((name) => emptyVariable(SECURITY_DATABASE, name)),
      separator,
      ...acpi,
      sha384(new Uint8Array(2)),
      hexBytes(BOOT_OPTION),
    ],
    [
      measurement.kernel,
      sha384(utf8('Calling EFI Application from Boot Option')),
      separator,
      sha384(utf8('Exit Boot Services Invocation')),
      sha384(utf8('Exit Boot Services Returned with Success')),
    ],
    [measurement.cmdline, measurement.initrd],
  ];
}

/** @throws {OsError} */
export function expectedMeasurements(config: VmConfig, events: readonly LogEvent[]): ExpectedMeasurements {
  const { lite, memorySize = 0, qemuVersion = '' } = config;
  if (!lite) throw new OsError('unsupported', 'The image contains no measurement.');
  const osImageHash = bytesToHex(sha256(lite.checksumFile));
  if (osImageHash !== config.osImageHash)
    throw new OsError('mismatch', 'The OS image hash is not the SHA-256 of its checksum file.');
  const line = `${bytesToHex(sha256(lite.measurement))}  measurement.tdx.cbor`;
  if (!new TextDecoder().decode(lite.checksumFile).split('\n').includes(line))
    throw new OsError('mismatch', 'The checksum file does not list the image’s measurement.');
  const measurement = readMeasurement(lite.measurement);
  if (measurement.ovmf !== 'pre202505')
    throw new OsError('unsupported', 'The image has firmware this verifier does not support.');
  if (!Number.isSafeInteger(memorySize) || memorySize > MAX_MEMORY)
    throw new OsError('unsupported', 'The memory size is not a number of bytes.');
  if (memorySize !== 2 ** 31 && memorySize < SPLIT_FROM)
    throw new OsError(
      'unsupported',
      'With this memory size (neither 2 GiB nor at least 2.75 GiB) the measurement cannot be computed.',
    );
  const [rtmr0 = [], rtmr1 = [], rtmr2 = []] = bootDigests(measurement, memorySize, acpiDigests(events));
  return {
    osImageHash,
    mrtd: bytesToHex(qemuVersion.startsWith('8.') ? measurement.twoPass : measurement.singlePass),
    rtmr0: extend(rtmr0),
    rtmr1: extend(rtmr1),
    rtmr2: extend(rtmr2),
  };
}
