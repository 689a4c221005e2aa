// Parses a GPU's attestation report: an SPDM 1.1 GET_MEASUREMENTS request followed by the GPU's response (DMTF
// DSP0274 §10.11), as returned by NVIDIA's drivers. Everything up to the signature is signed, so a changed byte
// either fails here or breaks the signature.

export class GpuEvidenceError extends Error {
  override name = 'GpuEvidenceError';
}

export interface GpuReport {
  /** Everything but the signature. */
  signed: Uint8Array;
  /** r ‖ s. */
  signature: Uint8Array;
  /** The challenge, from the request. The response has the GPU's own nonce. */
  nonce: Uint8Array;
  /** The GPU's statements about itself, by NVIDIA's field number. */
  fields: ReadonlyMap<number, Uint8Array>;
}

/** NVIDIA's numbers of the fields used here. */
export const FIELD = {
  driver: 3,
  vbios: 6,
  project: 17,
  projectSku: 18,
  firmwareId: 20,
} as const;

/** Bytes. Hopper's reports have 4,117, Blackwell's 4,140. */
export const MAX_REPORT_BYTES = 65_536;
const REQUEST_BYTES = 37;
const NONCE_AT = 4;
const NONCE_BYTES = 32;
const RECORD_AT = REQUEST_BYTES + 8;
const SIGNATURE_BYTES = 96;

const bad = (what: string): GpuEvidenceError => new GpuEvidenceError(what);

/** A little-endian number. */
function numberAt(bytes: Uint8Array, at: number, length: 1 | 2 | 3): number {
  let value = 0;
  for (let i = length - 1; i >= 0; i--) {
    const byte = bytes[at + i];
    if (byte === undefined) throw bad('the report is truncated');
    value = value * 256 + byte;
  }
  return value;
}

function slice(bytes: Uint8Array, at: number, length: number): Uint8Array {
  if (at + length > bytes.length) throw bad('the report is truncated');
  return bytes.subarray(at, at + length);
}

/** Each block has its number, measurement type and measurement. */
function checkRecord(record: Uint8Array, blocks: number): void {
  let at = 0;
  for (let number = 1; number <= blocks; number++) {
    if (numberAt(record, at, 1) !== number) throw bad('its measurements are not numbered in order');
    if (numberAt(record, at + 1, 1) !== 1) throw bad('a measurement is not in the DMTF form');
    const size = numberAt(record, at + 2, 2);
    const block = slice(record, at + 4, size);
    if (numberAt(block, 1, 2) !== size - 3) throw bad('a measurement has two different lengths');
    at += 4 + size;
  }
  if (blocks === 0 || at !== record.length) throw bad('its measurements do not fill their record');
}

function readFields(bytes: Uint8Array): Map<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  for (let at = 0; at < bytes.length;) {
    const id = numberAt(bytes, at, 2);
    const length = numberAt(bytes, at + 2, 2);
    if (fields.has(id)) throw bad(`it states field ${id} twice`);
    fields.set(id, slice(bytes, at + 4, length));
    at += 4 + length;
  }
  return fields;
}

/** @throws {GpuEvidenceError} with a reason that completes "The evidence cannot be read: …" */
export function parseReport(bytes: Uint8Array): GpuReport {
  if (bytes.length > MAX_REPORT_BYTES) throw bad('a report is too long');
  if (numberAt(bytes, 0, 1) !== 0x11 || numberAt(bytes, 1, 1) !== 0xe0)
    throw bad('a report does not start with an SPDM 1.1 request for measurements');
  if (numberAt(bytes, REQUEST_BYTES, 1) !== 0x11 || numberAt(bytes, REQUEST_BYTES + 1, 1) !== 0x60)
    throw bad('a report has no SPDM 1.1 response with measurements');
  const record = slice(bytes, RECORD_AT, numberAt(bytes, REQUEST_BYTES + 5, 3));
  checkRecord(record, numberAt(bytes, REQUEST_BYTES + 4, 1));
  const fieldsAt = RECORD_AT + record.length + NONCE_BYTES;
  const fields = slice(bytes, fieldsAt + 2, numberAt(bytes, fieldsAt, 2));
  const end = fieldsAt + 2 + fields.length;
  if (bytes.length !== end + SIGNATURE_BYTES) throw bad('a report does not end with its signature');
  return {
    signed: bytes.subarray(0, end),
    signature: bytes.subarray(end),
    nonce: bytes.subarray(NONCE_AT, NONCE_AT + NONCE_BYTES),
    fields: readFields(fields),
  };
}

/** Returns a field's text as stated by the GPU, without the trailing NUL. Never trusted to be printable. */
export function textField({ fields }: GpuReport, id: number): string | undefined {
  const text = String.fromCharCode(...(fields.get(id)?.subarray(0, 64) ?? [])).replace(/\0+$/, '');
  return /^[\w.-]+$/.test(text) ? text : undefined;
}

/** Returns the VBIOS version in NVIDIA's notation, such as 96.00.9F.00.01. */
export function vbiosVersion({ fields }: GpuReport): string | undefined {
  const bytes = fields.get(FIELD.vbios);
  if (bytes?.length !== 8) return undefined;
  const [e = 0, d = 0, c = 0, b = 0, a = 0] = [bytes[4], bytes[0], bytes[1], bytes[2], bytes[3]];
  return [a, b, c, d, e].map((byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join('.');
}
