// Certificates and revocation lists (RFC 5280), as far as Intel's and NVIDIA's attestation PKIs use them: version
// 3, and one curve with one signature algorithm each. Anything else is rejected.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '../../bytes';
import {
  booleanOf,
  childrenOf,
  context,
  type Der,
  DerError,
  expectTag,
  isTime,
  oidOf,
  readDer,
  sequenceOf,
  smallNumberOf,
  TAG,
  timeOf,
  unsignedOf,
  wholeBitsOf,
} from './der';
import { type Curve, P256, rawSignature } from './ecdsa';

const OID = {
  ecPublicKey: '1.2.840.10045.2.1',
  commonName: '2.5.4.3',
  keyUsage: '2.5.29.15',
  basicConstraints: '2.5.29.19',
} as const;

/** Extensions this verifier processes; others may be present unless critical (RFC 5280 §4.2). */
const UNDERSTOOD: readonly string[] = [OID.keyUsage, OID.basicConstraints];

export interface Certificate {
  der: Uint8Array;
  /** The signed part. */
  tbs: Uint8Array;
  /** Hex without leading zeros. */
  serial: string;
  /** Distinguished names as hex of their DER, compared byte for byte. */
  issuer: string;
  subject: string;
  /** For display only. */
  commonName: string;
  /** Unix seconds, both inclusive. */
  notBefore: number;
  notAfter: number;
  /** Curve of its key and its signature. */
  curve: Curve;
  /** Uncompressed point. */
  publicKey: Uint8Array;
  /** r ‖ s. */
  signature: Uint8Array;
  isCa: boolean;
  pathLength: number | undefined;
  /** keyCertSign, cRLSign and digitalSignature of its key usage. */
  maySign: { certificates: boolean; crls: boolean; data: boolean };
  extensions: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 of the whole certificate, hex. */
  fingerprint: string;
}

export interface Crl {
  tbs: Uint8Array;
  issuer: string;
  thisUpdate: number;
  nextUpdate: number;
  /** Serial numbers, hex without leading zeros. */
  revoked: ReadonlySet<string>;
  signature: Uint8Array;
}

function assertEcdsa(node: Der | undefined, { algorithm, algorithmOid }: Curve): void {
  const [oid, ...parameters] = sequenceOf(node);
  if (oidOf(oid) !== algorithmOid || parameters.length > 0)
    throw new DerError(`it is not signed with ${algorithm}`);
}

/** The three parts of a signed structure; the inner and outer algorithm must match. */
function signedParts(der: Uint8Array, curve: Curve): { tbs: Der; fields: Der[]; signature: Uint8Array } {
  const [tbs, algorithm, value, ...rest] = sequenceOf(readDer(der, TAG.sequence));
  if (!tbs || rest.length > 0) throw new DerError('it does not have three parts');
  assertEcdsa(algorithm, curve);
  return { tbs, fields: sequenceOf(tbs), signature: rawSignature(wholeBitsOf(value), curve) };
}

const serialOf = (node: Der | undefined): string => bytesToHex(unsignedOf(node)).replace(/^(00)+(?=.)/, '');

function readExtensions(node: Der): Map<string, Uint8Array> {
  const extensions = new Map<string, Uint8Array>();
  const [list, ...rest] = childrenOf(node);
  if (rest.length > 0) throw new DerError('it has two lists of extensions');
  for (const extension of sequenceOf(list)) {
    const parts = sequenceOf(extension);
    const oid = oidOf(parts[0]);
    const critical = parts.length === 3 && parts[1] !== undefined && booleanOf(parts[1]);
    if (parts.length < 2 || parts.length > 3) throw new DerError('an extension is malformed');
    if (critical && !UNDERSTOOD.includes(oid))
      throw new DerError(`it has an unsupported critical extension (${oid})`);
    if (extensions.has(oid)) throw new DerError(`it has a duplicate extension ${oid}`);
    extensions.set(oid, expectTag(parts.at(-1), TAG.octetString).content);
  }
  return extensions;
}

function readBasicConstraints(value: Uint8Array | undefined): { isCa: boolean; pathLength?: number } {
  if (!value) return { isCa: false };
  const parts = sequenceOf(readDer(value));
  const [first, second] = parts;
  if (parts.length > 2) throw new DerError('its basic constraints have more than two elements');
  const isCa = first?.tag === TAG.boolean && booleanOf(first);
  if (!isCa) return { isCa: false };
  return second ? { isCa, pathLength: smallNumberOf(second) } : { isCa };
}

/** Without a key usage it may sign data but no certificates or lists: every CA in this PKI has one. */
function readKeyUsage(value: Uint8Array | undefined): Certificate['maySign'] {
  if (!value) return { certificates: false, crls: false, data: true };
  const bits = expectTag(readDer(value), TAG.bitString).content[1] ?? 0;
  return { certificates: (bits & 0x04) !== 0, crls: (bits & 0x02) !== 0, data: (bits & 0x80) !== 0 };
}

/** Returns the elements of a sequence with exactly this many. @throws {DerError} */
function exactly(node: Der | undefined, count: number, what: string): Der[] {
  const parts = sequenceOf(node);
  if (parts.length !== count) throw new DerError(`${what} has ${parts.length} elements instead of ${count}`);
  return parts;
}

function readPublicKey(node: Der | undefined, curve: Curve): Uint8Array {
  const [algorithm, key] = exactly(node, 2, 'its public key');
  const [type, named] = exactly(algorithm, 2, 'its key’s algorithm').map(oidOf);
  const point = wholeBitsOf(key);
  if (
    type !== OID.ecPublicKey ||
    named !== curve.oid ||
    point.length !== 2 * curve.size + 1 ||
    point[0] !== 4
  )
    throw new DerError(`its key is not an uncompressed ${curve.name} key`);
  return point;
}

function readCommonName(name: Der): string {
  for (const set of sequenceOf(name)) {
    for (const attribute of childrenOf(expectTag(set, TAG.set))) {
      const [oid, value] = exactly(attribute, 2, 'a name attribute');
      if (value && oidOf(oid) === OID.commonName) return new TextDecoder().decode(value.content);
    }
  }
  return '';
}

/** @throws {DerError} */
export function parseCertificate(der: Uint8Array, curve: Curve = P256): Certificate {
  const { tbs, fields, signature } = signedParts(der, curve);
  const [version, serial, algorithm, issuer, validity, subject, key, ...optional] = fields;
  const versions = childrenOf(expectTag(version, context(0)));
  if (versions.length !== 1 || smallNumberOf(versions[0]) !== 2)
    throw new DerError('it is not a version 3 certificate');
  assertEcdsa(algorithm, curve);
  const [notBefore, notAfter] = exactly(validity, 2, 'its validity');
  const issuerName = expectTag(issuer, TAG.sequence);
  const subjectName = expectTag(subject, TAG.sequence);
  const extensionList = optional.at(-1);
  if (optional.length !== 1 || extensionList?.tag !== context(3))
    throw new DerError('it has no extensions, or more than extensions, after its key');
  const extensions = readExtensions(extensionList);
  const constraints = readBasicConstraints(extensions.get(OID.basicConstraints));
  return {
    der,
    tbs: tbs.bytes,
    serial: serialOf(serial),
    issuer: bytesToHex(issuerName.bytes),
    subject: bytesToHex(subjectName.bytes),
    commonName: readCommonName(subjectName),
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
    curve,
    publicKey: readPublicKey(key, curve),
    signature,
    isCa: constraints.isCa,
    pathLength: constraints.pathLength,
    maySign: readKeyUsage(extensions.get(OID.keyUsage)),
    extensions,
    fingerprint: bytesToHex(sha256(der)),
  };
}

/** @throws {DerError} */
export function parseCrl(der: Uint8Array): Crl {
  const { tbs, fields, signature } = signedParts(der, P256);
  const rest = [...fields];
  if (smallNumberOf(rest.shift()) !== 1) throw new DerError('it is not a version 2 list');
  assertEcdsa(rest.shift(), P256);
  const issuer = expectTag(rest.shift(), TAG.sequence);
  const thisUpdate = timeOf(rest.shift());
  if (!isTime(rest[0])) throw new DerError('it has no expiry date (nextUpdate)');
  const nextUpdate = timeOf(rest.shift());
  const revoked = new Set<string>();
  if (rest[0]?.tag === TAG.sequence) {
    for (const entry of childrenOf(expectTag(rest.shift(), TAG.sequence))) {
      const [serial, date, extensions, ...more] = sequenceOf(entry);
      if (more.length > 0) throw new DerError('an entry has more than three elements');
      timeOf(date);
      // A critical entry extension (certificateIssuer of indirect lists) would change whose serial number this
      // is.
      if (extensions) readEntryExtensions(extensions);
      revoked.add(serialOf(serial));
    }
  }
  const last = rest.shift();
  if (last) readExtensions(expectTag(last, context(0)));
  if (rest.length > 0) throw new DerError('its extensions have trailing data');
  return { tbs: tbs.bytes, issuer: bytesToHex(issuer.bytes), thisUpdate, nextUpdate, revoked, signature };
}

function readEntryExtensions(list: Der): void {
  for (const extension of sequenceOf(list)) {
    const second = sequenceOf(extension)[1];
    if (second?.tag === TAG.boolean && booleanOf(second))
      throw new DerError('an entry has an unsupported critical extension');
  }
}
