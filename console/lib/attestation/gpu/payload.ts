// Parses NVIDIA's evidence as returned by guests: the JSON accepted by NVIDIA's attestation service, `{nonce, arch,
// evidence_list: [{certificate, evidence}]}`, or a list of such entries with a nonce each. `arch` is unsigned and
// ignored.

import { bytesToHex, hexToBytes } from '../../bytes';
import { ownValue } from '../../ownValue';
import { readJson } from '../json';
import { readable } from '../run';
import { P384 } from '../x509/ecdsa';
import { parsePemChain } from '../x509/pem';
import type { Certificate } from '../x509/x509';
import { GpuEvidenceError, type GpuReport, MAX_REPORT_BYTES, parseReport } from './spdm';

/** Characters; eight GPUs have about 100,000. */
const MAX_CHARACTERS = 1_048_576;
/** Maximum GPUs in one machine. */
const MAX_GPUS = 16;
/** Firmware, device, provisioner, model, root. */
const MAX_CERTIFICATES = 5;
const MAX_CERTIFICATE_CHARACTERS = 32_768;

export interface GpuEvidence {
  nonce: Uint8Array;
  gpus: { report: GpuReport; chain: Certificate[] }[];
}

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Requires canonical base64, so that each changed character changes the bytes. */
function base64Bytes(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new GpuEvidenceError('a report or certificate is neither base64 nor hex');
  }
  if (btoa(binary) !== text) throw new GpuEvidenceError('its base64 is not canonical');
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

function textOf(json: Json, key: string, most: number): string {
  const value = ownValue(json, key);
  if (typeof value !== 'string' || value === '')
    throw new GpuEvidenceError(`${key} is missing or not a string`);
  if (value.length > most) throw new GpuEvidenceError(`${key} is too long`);
  return value;
}

/** A report in hex or base64. */
function reportOf(json: Json): GpuReport {
  const text = textOf(json, 'evidence', 2 * MAX_REPORT_BYTES);
  const hex = text.startsWith('11') ? hexToBytes(text) : null;
  return parseReport(hex ?? base64Bytes(text));
}

function chainOf(json: Json): Certificate[] {
  const bytes = base64Bytes(textOf(json, 'certificate', 2 * MAX_CERTIFICATE_CHARACTERS));
  const pem = new TextDecoder('latin1').decode(bytes);
  try {
    return parsePemChain(pem, P384, MAX_CERTIFICATES);
  } catch (error) {
    throw new GpuEvidenceError(`a certificate is unusable: ${readable(error)}`);
  }
}

function nonceOf(json: Json): Uint8Array {
  const nonce = hexToBytes(textOf(json, 'nonce', 66));
  if (nonce?.length !== 32) throw new GpuEvidenceError('its nonce is not 32 bytes of hex');
  return nonce;
}

/** The nonce and the entries it applies to. */
function partsOf(value: unknown): { nonce: Uint8Array; list: readonly unknown[] } {
  if (isObject(value)) {
    if (!Array.isArray(value.evidence_list)) throw new GpuEvidenceError('evidence_list is not a list');
    return { nonce: nonceOf(value), list: value.evidence_list };
  }
  if (!Array.isArray(value)) throw new GpuEvidenceError('it is neither an object nor a list');
  const nonces = value.slice(0, MAX_GPUS + 1).map((entry: unknown) => {
    if (!isObject(entry)) throw new GpuEvidenceError('an entry is not an object');
    return nonceOf(entry);
  });
  const [nonce] = nonces;
  if (!nonce) throw new GpuEvidenceError('it names no GPU');
  if (nonces.some((one) => bytesToHex(one) !== bytesToHex(nonce)))
    throw new GpuEvidenceError('its entries have different nonces');
  return { nonce, list: value };
}

/** @throws {GpuEvidenceError} with a reason that completes "The evidence cannot be read: …" */
export function parseGpuEvidence(text: unknown): GpuEvidence {
  if (typeof text !== 'string') throw new GpuEvidenceError('it is not text');
  if (text.length > MAX_CHARACTERS) throw new GpuEvidenceError('it is too long');
  const json = readJson(text);
  if ('fault' in json) throw new GpuEvidenceError(`it ${json.fault}`);
  const { nonce, list } = partsOf(json.value);
  if (list.length === 0) throw new GpuEvidenceError('it names no GPU');
  if (list.length > MAX_GPUS) throw new GpuEvidenceError(`it names more than ${MAX_GPUS} GPUs`);
  const gpus = list.map((entry) => {
    if (!isObject(entry)) throw new GpuEvidenceError('an entry is not an object');
    return { report: reportOf(entry), chain: chainOf(entry) };
  });
  return { nonce, gpus };
}
