import { fewRandomBytes } from './random';

// Crockford's base32 without letters that look like digits: IDs are read aloud and typed.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

export type PublicIdPrefix =
  | 'usr'
  | 'wks'
  | 'prj'
  | 'rev'
  | 'rol'
  | 'apv'
  | 'cvm'
  | 'dom'
  | 'kms'
  | 'tok'
  | 'sshkey'
  | 'req'
  | 'ses'
  | 'dbt'
  | 'bud'
  | 'inv'
  | 'adj'
  | 'psk'
  | 'lck'
  | 'sso'
  | 'scu'
  | 'whk'
  | 'ntf'
  | 'ann'
  | 'crt'
  | 'cre'
  | 'pay'
  | 'aik'
  | 'aim'
  | 'chatcmpl'
  | 'cmpl'
  | 'embd'
  | 'resp'
  | 'rcpt'
  | 'ref'
  | 'prd'
  | 'ord'
  | 'wtc'
  | 'wal'
  | 'tpl';

/** Returns a new opaque public ID such as `cvm_7m2k…`: 80 random bits, not guessable or countable. */
export function publicId(prefix: PublicIdPrefix): string {
  const bytes = fewRandomBytes(16);
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 31];
  return `${prefix}_${text}`;
}
