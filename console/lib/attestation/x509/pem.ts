// PEM (RFC 7468), strict within a block so that every changed byte of a certificate is noticed. Around blocks,
// blank lines and trailing spaces are accepted, because tools and editors add them.

import { counted } from '../../texts/count';
import { type Curve, P256 } from './ecdsa';
import { type Certificate, parseCertificate } from './x509';

export class PemError extends Error {
  override name = 'PemError';
}

const BLOCK = /-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/=\n]+)\n-----END CERTIFICATE-----(?:[ \t]*\n|$)/y;
/** Blank lines. A trailing space is rejected: one flipped bit turns a quote's zero padding into it. */
const BLANK = /(?:[ \t]*\n)*/y;
/** Intel's: leaf, intermediate, root and one extra. */
const MAX_CERTIFICATES = 4;
const MAX_CHARACTERS = 32_768;

function decode(body: string): Uint8Array {
  const lines = body.split('\n');
  const last = lines.length - 1;
  if (lines.some((line, i) => line.length > 64 || line === '' || (i < last && line.length !== 64)))
    throw new PemError('its lines are not 64 characters long');
  const base64 = lines.join('');
  let binary: string;
  try {
    binary = atob(base64);
  } catch {
    throw new PemError('it is not base64');
  }
  // The last character has unused bits, which must be zero.
  if (btoa(binary) !== base64) throw new PemError('its base64 is not canonical');
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/**
 * Returns a chain's certificates in order. @throws {PemError
 * DerError}
 */
export function parsePemChain(
  text: string,
  curve: Curve = P256,
  mostCertificates = MAX_CERTIFICATES,
  mostCharacters = MAX_CHARACTERS,
): Certificate[] {
  if (text.length > mostCharacters) throw new PemError('it is too long for a certificate chain');
  const pem = text.replaceAll('\r\n', '\n');
  const certificates: Certificate[] = [];
  const skipBlank = (from: number): number => {
    BLANK.lastIndex = from;
    return BLANK.test(pem) ? BLANK.lastIndex : from;
  };
  for (let at = skipBlank(0); at < pem.length; at = skipBlank(BLOCK.lastIndex)) {
    BLOCK.lastIndex = at;
    const body = BLOCK.exec(pem)?.[1];
    if (body === undefined) throw new PemError('it contains something other than a PEM certificate');
    if (certificates.length === mostCertificates)
      throw new PemError(`it may have ${counted(mostCertificates, ['certificate', 'certificates'])} at most`);
    certificates.push(parseCertificate(decode(body), curve));
  }
  if (certificates.length === 0) throw new PemError('it is empty');
  return certificates;
}
