import { createHash } from 'node:crypto';
import { ownValue } from '../../../console/lib/ownValue';
import { tidyName } from './username';

export interface SshPublicKey {
  /** `ssh-ed25519`, … */
  key_type: string;
  /** The key on one line, without options: type, base64, comment. */
  public_key: string;
  /** As `ssh-keygen -l` prints it: `SHA256:` and base64 without padding. */
  fingerprint: string;
}

/** Why a text isn't a usable public key. The message never contains the text, which may be a private key. */
export class SshKeyError extends Error {}

const RSA_BITS = 2048;
const CURVES: Readonly<Record<string, number>> = { nistp256: 65, nistp384: 97, nistp521: 133 };

/** Parses one OpenSSH public key (RFC 4253 §6.6, RFC 8709, RFC 5656). @throws {SshKeyError} */
export function parseSshKey(text: string): SshPublicKey {
  if (/-----BEGIN|PRIVATE KEY/.test(text))
    throw new SshKeyError(
      "This isn't a public key. Paste the contents of the .pub file, never a private key.",
    );
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (lines.length !== 1) throw new SshKeyError('Paste exactly one public key, on one line.');
  const [key_type = '', base64 = '', ...comment] = lines[0]!.trim().split(/\s+/);
  if (!/^[a-z0-9@.-]+$/.test(key_type) || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64))
    throw new SshKeyError('A public key looks like “ssh-ed25519 AAAA… comment”.');
  const blob = Buffer.from(base64, 'base64');
  if (blob.toString('base64') !== base64.padEnd(Math.ceil(base64.length / 4) * 4, '='))
    throw new SshKeyError('The middle part of the key is not base64. It may be cut off.');
  check(key_type, fieldsOf(blob));
  return {
    key_type,
    public_key: [key_type, base64, tidyName(comment.join(' '))].filter(Boolean).join(' '),
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')}`,
  };
}

/** RFC 4251 §5 strings: 32-bit length, then bytes. */
function fieldsOf(blob: Buffer): Buffer[] {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) throw cut();
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length) throw cut();
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

const cut = () => new SshKeyError('The key is cut off or damaged.');

function check(key_type: string, fields: Buffer[]): void {
  const [name, first, second] = fields;
  const curve = /^ecdsa-sha2-(nistp\d+)$/.exec(key_type)?.[1];
  const known = key_type === 'ssh-ed25519' || key_type === 'ssh-rsa' || (curve && ownValue(CURVES, curve));
  if (!known)
    throw new SshKeyError(
      `Keys of type ${key_type.slice(0, 40)} are not supported. Use ed25519, ECDSA, or RSA with at least ${RSA_BITS} bits.`,
    );
  if (name?.toString('latin1') !== key_type)
    throw new SshKeyError("The key doesn't match the type before it.");
  if (key_type === 'ssh-ed25519') {
    if (fields.length !== 2 || first?.length !== 32) throw cut();
  } else if (key_type === 'ssh-rsa') {
    if (fields.length !== 3 || !first || !second) throw cut();
    const bits = bitLength(second);
    if (bits < RSA_BITS)
      throw new SshKeyError(`This RSA key has ${bits} bits; at least ${RSA_BITS} are required.`);
  } else {
    // An uncompressed point (SEC 1 §2.3.3) on the curve that the type names.
    const point = second?.length === ownValue(CURVES, curve ?? '') && second?.[0] === 4;
    if (fields.length !== 3 || first?.toString('latin1') !== curve || !point) throw cut();
  }
}

function bitLength(mpint: Buffer): number {
  const significant = mpint.subarray(mpint.findIndex((byte) => byte !== 0));
  const top = significant[0];
  return top ? (significant.length - 1) * 8 + (32 - Math.clz32(top)) : 0;
}
