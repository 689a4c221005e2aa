import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Uses of the server's own key. Keys are derived per purpose, so one use can never stand in for another. */
export interface Seal {
  /** base64url MAC over `text` for `purpose`. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, mac: string): boolean;
  /** AES-256-GCM; output `v1.<base64url(iv‖tag‖ciphertext)>`. For host credentials at rest. */
  seal(purpose: string, text: string): string;
  /** Throws when the value was sealed with another key or purpose, or altered. */
  open(purpose: string, sealed: string): string;
}

export function createSeal(secret: Buffer): Seal {
  const keys = new Map<string, Buffer>();
  const key = (purpose: string) => {
    let found = keys.get(purpose);
    if (!found) {
      found = Buffer.from(hkdfSync('sha256', secret, 'teehouse', purpose, 32));
      keys.set(purpose, found);
    }
    return found;
  };
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', key(`sign:${purpose}`))
      .update(text)
      .digest('base64url');
  return {
    sign,
    verify(purpose, text, mac) {
      const expected = Buffer.from(sign(purpose, text));
      const given = Buffer.from(mac);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
    seal(purpose, text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', key(`seal:${purpose}`), iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
    },
    open(purpose, sealed) {
      const [version, data] = sealed.split('.');
      if (version !== 'v1' || !data) throw new Error('not a sealed value of this server');
      const bytes = Buffer.from(data, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key(`seal:${purpose}`), bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
  };
}
