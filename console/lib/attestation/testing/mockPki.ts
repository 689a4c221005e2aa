// A PKI shaped like Intel's, with its own keys: root → PCK platform CA → PCK certificate, root → TCB signing. Tests
// use it to create evidence that is fully valid today, or wrong in one signed property. Certificates can also have
// P-384 keys, like NVIDIA's.

import { bytesToHex, concatBytes, utf8 } from '../../bytes';
import {
  bits,
  boolean,
  context,
  enumerated,
  integer,
  octets,
  oid,
  sequence,
  set,
  text,
  time,
} from './derWriter';

type CurveName = 'P-256' | 'P-384';
const CURVES = {
  'P-256': { hash: 'SHA-256', oid: '1.2.840.10045.3.1.7', signature: '1.2.840.10045.4.3.2' },
  'P-384': { hash: 'SHA-384', oid: '1.3.132.0.34', signature: '1.2.840.10045.4.3.3' },
} as const;
const DAY = 86_400;
const YEAR = 365 * DAY;
const SGX = '1.2.840.113741.1.13.1';

export interface Keys {
  curve: CurveName;
  privateKey: CryptoKey;
  /** Uncompressed point. */
  publicKey: Uint8Array;
}

export async function createKeys(curve: CurveName = 'P-256'): Promise<Keys> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: curve }, true, [
    'sign',
    'verify',
  ]);
  const raw = await crypto.subtle.exportKey('raw', pair.publicKey);
  return { curve, privateKey: pair.privateKey, publicKey: new Uint8Array(raw) };
}

/** r ‖ s. */
export async function sign(keys: Keys, data: Uint8Array): Promise<Uint8Array> {
  const signed = await crypto.subtle.sign(
    { name: 'ECDSA', hash: CURVES[keys.curve].hash },
    keys.privateKey,
    new Uint8Array(data),
  );
  return new Uint8Array(signed);
}

const algorithmOf = ({ curve }: Keys): Uint8Array => sequence(oid(CURVES[curve].signature));

async function signedStructure(tbs: Uint8Array, issuer: Keys): Promise<Uint8Array> {
  const raw = await sign(issuer, tbs);
  const half = raw.length / 2;
  const der = sequence(integer(raw.subarray(0, half)), integer(raw.subarray(half)));
  return sequence(tbs, algorithmOf(issuer), bits(der));
}

export const nameOf = (commonName: string): Uint8Array =>
  sequence(
    set(sequence(oid('2.5.4.3'), text(commonName))),
    set(sequence(oid('2.5.4.10'), text('Mock Corporation'))),
  );

export const extension = (id: string, value: Uint8Array, critical = false): Uint8Array =>
  sequence(oid(id), ...(critical ? [boolean(true)] : []), octets(value));

export interface CertificateOptions {
  subject: string;
  issuer: string;
  issuerKeys: Keys;
  keys: Keys;
  notBefore: number;
  notAfter: number;
  serial?: number;
  ca?: boolean;
  pathLength?: number;
  extensions?: Uint8Array[];
  /** Extra elements that don't belong there, appended to the regular ones. */
  extra?: { validity?: Uint8Array; publicKey?: Uint8Array; keyAlgorithm?: Uint8Array };
}

/** DER. */
export function makeCertificate(options: CertificateOptions): Promise<Uint8Array> {
  const { subject, issuer, issuerKeys, keys, notBefore, notAfter, serial = 4711, ca = false } = options;
  const more = (name: keyof NonNullable<CertificateOptions['extra']>): Uint8Array[] => {
    const bytes = options.extra?.[name];
    return bytes ? [bytes] : [];
  };
  const constraints = sequence(
    ...(ca
      ? [boolean(true), ...(options.pathLength === undefined ? [] : [integer(options.pathLength)])]
      : []),
  );
  const tbs = sequence(
    context(0, integer(2)),
    integer(serial),
    algorithmOf(issuerKeys),
    nameOf(issuer),
    sequence(time(notBefore), time(notAfter), ...more('validity')),
    nameOf(subject),
    sequence(
      sequence(oid('1.2.840.10045.2.1'), oid(CURVES[keys.curve].oid), ...more('keyAlgorithm')),
      bits(keys.publicKey),
      ...more('publicKey'),
    ),
    context(
      3,
      sequence(
        extension('2.5.29.15', ca ? bits(Uint8Array.of(0x06), 1) : bits(Uint8Array.of(0xc0), 6), true),
        extension('2.5.29.19', constraints, true),
        ...(options.extensions ?? []),
      ),
    ),
  );
  return signedStructure(tbs, issuerKeys);
}

export interface Platform {
  ppid: Uint8Array;
  fmspc: Uint8Array;
  pceId: Uint8Array;
  cpuSvn: number[];
  pceSvn: number;
}

export const PLATFORM: Platform = {
  ppid: Uint8Array.from({ length: 16 }, (_, i) => 0xa0 + i),
  fmspc: Uint8Array.of(0xb0, 0xc0, 0x6f, 0, 0, 0),
  pceId: Uint8Array.of(0, 0),
  cpuSvn: [3, 3, 2, 2, 4, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0],
  pceSvn: 13,
};

function sgxExtension({ ppid, fmspc, pceId, cpuSvn, pceSvn }: Platform): Uint8Array {
  const pair = (id: string, value: Uint8Array): Uint8Array => sequence(oid(`${SGX}.${id}`), value);
  const tcb = sequence(
    ...cpuSvn.map((svn, i) => pair(`2.${i + 1}`, integer(svn))),
    pair('2.17', integer(pceSvn)),
    pair('2.18', octets(Uint8Array.from(cpuSvn))),
  );
  return extension(
    SGX,
    sequence(
      pair('1', octets(ppid)),
      pair('2', tcb),
      pair('3', octets(pceId)),
      pair('4', octets(fmspc)),
      pair('5', enumerated(1)),
    ),
  );
}

export function toPem(...certificates: Uint8Array[]): string {
  return certificates
    .map((der) => {
      const base64 = btoa(String.fromCharCode(...der)).replaceAll(/.{64}(?=.)/g, '$&\n');
      return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
    })
    .join('');
}

export interface CrlOptions {
  issuer: string;
  keys: Keys;
  revoked?: readonly number[] | undefined;
  thisUpdate: number;
  nextUpdate: number;
}

/** DER. */
export function makeCrl({
  issuer,
  keys,
  revoked = [],
  thisUpdate,
  nextUpdate,
}: CrlOptions): Promise<Uint8Array> {
  const reason = extension('2.5.29.21', enumerated(1));
  const entries = revoked.map((serial) => sequence(integer(serial), time(thisUpdate), sequence(reason)));
  return signedStructure(
    sequence(
      integer(1),
      algorithmOf(keys),
      nameOf(issuer),
      time(thisUpdate),
      time(nextUpdate),
      ...(entries.length > 0 ? [sequence(...entries)] : []),
      context(0, sequence(extension('2.5.29.20', integer(1)))),
    ),
    keys,
  );
}

export const NAMES = {
  root: 'Intel SGX Root CA',
  platformCa: 'Intel SGX PCK Platform CA',
  pck: 'Intel SGX PCK Certificate',
  tcb: 'Intel SGX TCB Signing',
} as const;
export const SERIALS = { root: 1, platformCa: 2, pck: 3, tcb: 4 } as const;

export interface MockPki {
  now: number;
  keys: Record<'root' | 'platformCa' | 'pck' | 'tcb' | 'attestation', Keys>;
  /** DER. */
  certificates: Record<keyof typeof NAMES, Uint8Array>;
  rootPem: string;
  /** Issues a certificate from the root or another of these authorities. */
  issue: (by: 'root' | 'platformCa' | 'tcb', options: Issue) => Promise<Uint8Array>;
  signText: (text: string) => Promise<string>;
}
type Issue = Pick<CertificateOptions, 'subject' | 'keys'> & Partial<CertificateOptions>;

/** `now` in Unix seconds; certificates are valid from a year before to five years after. */
export async function createMockPki(now: number, platform: Platform = PLATFORM): Promise<MockPki> {
  const [root, platformCa, pck, tcb, attestation] = await Promise.all([
    createKeys(),
    createKeys(),
    createKeys(),
    createKeys(),
    createKeys(),
  ]);
  const keys = { root, platformCa, pck, tcb, attestation };
  const issue: MockPki['issue'] = (by, options) =>
    makeCertificate({
      issuer: NAMES[by],
      issuerKeys: keys[by],
      notBefore: now - YEAR,
      notAfter: now + 5 * YEAR,
      ...options,
    });
  const certificates = {
    root: await issue('root', {
      subject: NAMES.root,
      keys: root,
      serial: SERIALS.root,
      ca: true,
      pathLength: 1,
    }),
    platformCa: await issue('root', {
      subject: NAMES.platformCa,
      keys: platformCa,
      serial: SERIALS.platformCa,
      ca: true,
      pathLength: 0,
    }),
    pck: await issue('platformCa', {
      subject: NAMES.pck,
      keys: pck,
      serial: SERIALS.pck,
      extensions: [sgxExtension(platform)],
    }),
    tcb: await issue('root', { subject: NAMES.tcb, keys: tcb, serial: SERIALS.tcb }),
  };
  return {
    now,
    keys,
    certificates,
    rootPem: toPem(certificates.root),
    issue,
    signText: async (message) => bytesToHex(await sign(tcb, utf8(message))),
  };
}

/** Certification data in the form used in quotes. */
export const chainOf = (...certificates: Uint8Array[]): Uint8Array =>
  concatBytes(utf8(toPem(...certificates)), Uint8Array.of(0));

export const sgxExtensionOf = sgxExtension;
