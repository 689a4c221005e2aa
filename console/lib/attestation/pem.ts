// PEM (RFC 7468) in its strict form: one way to write a certificate, so that no changed byte goes unnoticed.

import { type Certificate, parseCertificate } from './x509';

export class PemError extends Error {
  override name = 'PemError';
}

const BLOCK = /-----BEGIN CERTIFICATE-----\n([A-Za-z0-9+/=\n]+)\n-----END CERTIFICATE-----\n?/y;
/** Leaf, intermediate, root, and one to spare. */
const MOST_CERTIFICATES = 4;
const MOST_CHARACTERS = 32_768;

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
  // The last character has bits that decode to nothing: only zero is right there.
  if (btoa(binary) !== base64) throw new PemError('its base64 is not in the one right form');
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** The certificates of a chain in their order. @throws {PemError | DerError} */
export function parsePemChain(text: string): Certificate[] {
  if (text.length > MOST_CHARACTERS) throw new PemError('it is too long for a certificate chain');
  const pem = text.replaceAll('\r\n', '\n');
  const certificates: Certificate[] = [];
  BLOCK.lastIndex = 0;
  for (let at = 0; at < pem.length; at = BLOCK.lastIndex) {
    BLOCK.lastIndex = at;
    const body = BLOCK.exec(pem)?.[1];
    if (body === undefined) throw new PemError('it holds something that is not a certificate in PEM form');
    if (certificates.length === MOST_CERTIFICATES)
      throw new PemError(`it has more than ${MOST_CERTIFICATES} certificates`);
    certificates.push(parseCertificate(decode(body)));
  }
  if (certificates.length === 0) throw new PemError('it is empty');
  return certificates;
}
