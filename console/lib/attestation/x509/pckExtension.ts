// A PCK certificate's chip data: the SGX extensions (Intel, "SGX PCK Certificate and CRL Profile" §1.3.5).

import { bytesToHex } from '../../bytes';
import { type Der, DerError, expectTag, oidOf, readDer, sequenceOf, smallNumberOf, TAG } from './der';
import type { Certificate } from './x509';

const SGX = '1.2.840.113741.1.13.1';

export interface PckExtension {
  /** 16 bytes of hex: the chip's pseudonym. */
  ppid: string;
  /** Security versions of the CPU's 16 components. */
  cpuSvn: number[];
  pceSvn: number;
  /** 2 bytes hex. */
  pceId: string;
  /** 6 bytes hex: family, model, stepping, platform and custom SKU. */
  fmspc: string;
}

/** Pairs of object identifier and value. */
function pairs(nodes: Der[]): Map<string, Der> {
  const map = new Map<string, Der>();
  for (const node of nodes) {
    const [oid, value, ...rest] = sequenceOf(node);
    const name = oidOf(oid);
    if (!value || rest.length > 0 || map.has(name)) throw new DerError('the SGX extension is malformed');
    map.set(name, value);
  }
  return map;
}

function octets(node: Der | undefined, length: number): string {
  const { content } = expectTag(node, TAG.octetString);
  if (content.length !== length) throw new DerError('a value of the SGX extension has the wrong length');
  return bytesToHex(content);
}

function byteOf(node: Der | undefined, most: number): number {
  const value = smallNumberOf(node);
  if (value > most) throw new DerError('a security version of the SGX extension is too large');
  return value;
}

/** @throws {DerError} */
export function parsePckExtension(certificate: Certificate): PckExtension {
  const value = certificate.extensions.get(SGX);
  if (!value) throw new DerError('it has no SGX extension, so it is not a PCK certificate');
  const all = pairs(sequenceOf(readDer(value)));
  const tcb = pairs(sequenceOf(all.get(`${SGX}.2`)));
  return {
    ppid: octets(all.get(`${SGX}.1`), 16),
    cpuSvn: Array.from({ length: 16 }, (_, i) => byteOf(tcb.get(`${SGX}.2.${i + 1}`), 0xff)),
    pceSvn: byteOf(tcb.get(`${SGX}.2.17`), 0xffff),
    pceId: octets(all.get(`${SGX}.3`), 2),
    fmspc: octets(all.get(`${SGX}.4`), 6),
  };
}
