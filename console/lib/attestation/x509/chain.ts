// Certificate paths (RFC 5280 §6, as far as these PKIs need): signatures, names, dates and signing rights.

import { cutWhole } from '../../texts/cutWhole';
import { bytesToHex } from '../../bytes';
import { verifyEcdsa } from './ecdsa';
import type { Certificate } from './x509';

const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10);
const named = (certificate: Certificate): string => `“${cutWhole(certificate.commonName, 80)}”`;

/** Returns why it isn't valid at `now` (Unix seconds), or null. */
function datesFault(certificate: Certificate, now: number): string | null {
  // Written so that a NaN clock fails too.
  if (!(now >= certificate.notBefore))
    return `${named(certificate)} is not valid before ${day(certificate.notBefore)}`;
  if (!(now <= certificate.notAfter)) return `${named(certificate)} expired on ${day(certificate.notAfter)}`;
  return null;
}

/** Returns why `issuer` can't have issued a certificate with `below` CA certificates under it, or null. */
function authorityFault(issuer: Certificate, below: number): string | null {
  if (!issuer.isCa || !issuer.maySign.certificates)
    return `${named(issuer)} is not allowed to issue certificates`;
  if (issuer.pathLength !== undefined && below > issuer.pathLength)
    return `${named(issuer)} has too many CA certificates below it for its path length`;
  return null;
}

const same = (a: Certificate, b: Certificate): boolean => a.fingerprint === b.fingerprint;

/**
 * Returns the path from `chain[0]` to one of `roots` (added if the chain omits it), or why there is none. The
 * reason completes "The chain is invalid: …".
 */
export async function verifyChain(
  chain: readonly Certificate[],
  roots: readonly Certificate[],
  now: number,
): Promise<{ path: Certificate[] } | { fault: string }> {
  const top = chain.at(-1);
  if (!top) return { fault: 'it is empty' };
  const root = roots.find((one) => same(one, top)) ?? roots.find((one) => one.subject === top.issuer);
  if (!root) return { fault: `it ends with ${named(top)} instead of a trusted root` };
  const path = same(root, top) ? [...chain] : [...chain, root];
  if (path.length < 2) return { fault: 'it contains only the root' };
  for (const [i, certificate] of path.entries()) {
    const dates = datesFault(certificate, now);
    if (dates) return { fault: dates };
    const issuer = path[i + 1];
    if (!issuer) break;
    if (certificate.issuer !== issuer.subject)
      return { fault: `${named(certificate)} does not name ${named(issuer)} as its issuer` };
    const authority = authorityFault(issuer, i);
    if (authority) return { fault: authority };
    if (!(await verifyEcdsa(issuer.curve, issuer.publicKey, certificate.tbs, certificate.signature)))
      return { fault: `the signature of ${named(issuer)} on ${named(certificate)} is invalid` };
  }
  return { path };
}

/** Returns why this certificate may not sign data, or null: CAs sign only certificates. */
export function signerFault(certificate: Certificate): string | null {
  if (certificate.isCa) return `${named(certificate)} is a certificate authority (CA:TRUE)`;
  if (certificate.maySign.certificates || certificate.maySign.crls)
    return `${named(certificate)} has the key usage of a certificate authority`;
  if (!certificate.maySign.data) return `the key usage of ${named(certificate)} does not allow signatures`;
  return null;
}

/** What is displayed about a trusted root. */
export const describeRoot = (root: Certificate): string =>
  `${root.commonName} (certificate SHA-256 ${root.fingerprint})`;

export const sameKey = (a: Certificate, b: Certificate): boolean =>
  a.subject === b.subject && bytesToHex(a.publicKey) === bytesToHex(b.publicKey);
