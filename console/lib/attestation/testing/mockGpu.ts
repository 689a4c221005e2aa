// Evidence for a fictitious GPU, in NVIDIA's published layout and under its own root, for cases the real sample
// can't cover, such as a signed report with another firmware ID.

import { bytesToHex, concatBytes, utf8 } from '../../bytes';
import { bits, integer, octets, oid, sequence } from './derWriter';
import { createKeys, extension, type Keys, makeCertificate, sign, toPem } from './mockPki';

const YEAR = 365 * 86_400;
const filled = (length: number, byte: number): Uint8Array => new Uint8Array(length).fill(byte);
const le = (value: number, length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, i) => Math.floor(value / 256 ** i) & 0xff);

export const NONCE = 'ab'.repeat(32);
const FIRMWARE = filled(48, 0x5a);

export interface GpuEdits {
  name?: string;
  ca?: boolean;
  /** Hex, sent in the request. */
  nonce?: string;
  /** Firmware ID in the report; null for none. */
  firmware?: Uint8Array | null;
  /** Other fields of the report. */
  fields?: readonly (readonly [number, Uint8Array])[];
  /** Signs instead of the certified key. */
  signer?: Keys;
}

const firmwareExtension = (device: Keys): Uint8Array =>
  extension(
    '2.23.133.5.4.1',
    sequence(
      integer(1),
      sequence(sequence(oid('1.2.840.10045.2.1'), oid('1.3.132.0.34')), bits(device.publicKey)),
      sequence(oid('2.16.840.1.101.3.4.2.2'), octets(FIRMWARE)),
    ),
  );

const FIELDS = [
  [3, utf8('595.91.07\0')],
  [6, Uint8Array.of(0, 0xe4, 0, 0x97, 0x1e, 0, 0, 0)],
] as const;

async function mockReport(key: Keys, edits: GpuEdits): Promise<Uint8Array> {
  const block = (i: number): Uint8Array =>
    concatBytes(Uint8Array.of(i, 1), le(51, 2), Uint8Array.of(1), le(48, 2), filled(48, i));
  const record = concatBytes(block(1), block(2));
  const { firmware = FIRMWARE, fields = FIELDS } = edits;
  const stated = [...fields, ...(firmware === null ? [] : [[20, firmware] as const])];
  const opaque = concatBytes(
    ...stated.map(([id, value]) => concatBytes(le(id, 2), le(value.length, 2), value)),
  );
  const nonce = Uint8Array.from((edits.nonce ?? NONCE).match(/../g) ?? [], (pair) =>
    Number.parseInt(pair, 16),
  );
  const signed = concatBytes(
    Uint8Array.of(0x11, 0xe0, 1, 0xff),
    nonce,
    Uint8Array.of(0, 0x11, 0x60, 0, 0, 2),
    le(record.length, 3),
    record,
    filled(32, 0x77),
    le(opaque.length, 2),
    opaque,
  );
  return concatBytes(signed, await sign(edits.signer ?? key, signed));
}

export interface MockGpus {
  rootPem: string;
  /** An entry of `evidence_list`. */
  gpu: (edits?: GpuEdits) => Promise<{ certificate: string; evidence: string }>;
}

export async function createMockGpus(now: number): Promise<MockGpus> {
  const [root, model, device] = await Promise.all([
    createKeys('P-384'),
    createKeys('P-384'),
    createKeys('P-384'),
  ]);
  const dates = { notBefore: now - YEAR, notAfter: now + YEAR };
  const names = {
    root: 'Mock Device Identity CA',
    model: 'Mock GB100 Identity',
    device: 'GB100 A01 GSP BROM',
  };
  const [rootDer, modelDer, deviceDer] = await Promise.all([
    makeCertificate({
      subject: names.root,
      issuer: names.root,
      keys: root,
      issuerKeys: root,
      ca: true,
      ...dates,
    }),
    makeCertificate({
      subject: names.model,
      issuer: names.root,
      keys: model,
      issuerKeys: root,
      ca: true,
      ...dates,
    }),
    makeCertificate({
      subject: names.device,
      issuer: names.model,
      keys: device,
      issuerKeys: model,
      ca: true,
      ...dates,
    }),
  ]);
  return {
    rootPem: toPem(rootDer),
    gpu: async (edits = {}) => {
      const key = await createKeys('P-384');
      const leaf = await makeCertificate({
        subject: edits.name ?? 'GB100 A01 GSP FMC LF',
        issuer: names.device,
        keys: key,
        issuerKeys: device,
        ca: edits.ca ?? false,
        extensions: [firmwareExtension(device)],
        ...dates,
      });
      return {
        certificate: btoa(toPem(leaf, deviceDer, modelDer, rootDer)),
        evidence: bytesToHex(await mockReport(key, edits)),
      };
    },
  };
}
