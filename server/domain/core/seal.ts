import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Where sealed values are stored; a key is derived for each. */
export type SealPurpose =
  | 'ai-upstream'
  | 'audit-destination'
  | 'audit-destination-key'
  | 'chat-bot-token'
  | 'gateway-credential'
  | 'mail'
  | 'sso-client-secret'
  | 'sso-code-verifier'
  | 'teepod-credential'
  | 'totp'
  | 'watch-webhook-secret'
  | 'webhook-secret';

/** Uses of the server's own key. Keys are derived per purpose, so one use can never stand in for another. */
export interface Seal {
  /** base64url MAC over `text` for `purpose`. */
  sign(purpose: string, text: string): string;
  /** The MACs that `verify` accepts: the one from `sign` and, during a rotation, the one of the second secret. */
  accepted(purpose: string, text: string): string[];
  verify(purpose: string, text: string, mac: string): boolean;
  /** AES-256-GCM; output `v1.<base64url(iv‖tag‖ciphertext)>`. */
  seal(purpose: SealPurpose, text: string): string;
  /** Throws when the value was sealed with neither secret, for another purpose, or altered. */
  open(purpose: SealPurpose, sealed: string): string;
  /** Reseals a value of the second secret; null if it already has the first. Throws like `open`. */
  renew(purpose: SealPurpose, sealed: string): string | null;
}

/**
 * Signs and seals with `secret`. For a rotation, signatures and sealed values of `second` are accepted as well.
 */
export function createSeal(secret: Buffer, second?: Buffer): Seal {
  const first = keysOf(secret);
  const all = second === undefined ? [first] : [first, keysOf(second)];
  const accepted = (purpose: string, text: string) => all.map((keys) => sign(keys, purpose, text));
  const seal = (purpose: SealPurpose, text: string) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', first(`seal:${purpose}`), iv);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`;
  };
  /** Returns the text and whether the first secret sealed it. */
  const opened = (purpose: SealPurpose, sealed: string) => {
    let failure: unknown;
    for (const keys of all)
      try {
        return { text: open(keys, purpose, sealed), current: keys === first };
      } catch (error) {
        failure ??= error;
      }
    throw failure;
  };
  return {
    sign: (purpose, text) => sign(first, purpose, text),
    accepted,
    verify(purpose, text, mac) {
      const given = Buffer.from(mac);
      return accepted(purpose, text)
        .map((expected) => Buffer.from(expected))
        .some((expected) => expected.length === given.length && timingSafeEqual(expected, given));
    },
    seal,
    open: (purpose, sealed) => opened(purpose, sealed).text,
    renew(purpose, sealed) {
      const { text, current } = opened(purpose, sealed);
      return current ? null : seal(purpose, text);
    },
  };
}

type Keys = (purpose: string) => Buffer;

function keysOf(secret: Buffer): Keys {
  const derived = new Map<string, Buffer>();
  return (purpose) => {
    let key = derived.get(purpose);
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', secret, 'teehouse', purpose, 32));
      derived.set(purpose, key);
    }
    return key;
  };
}

const sign = (keys: Keys, purpose: string, text: string) =>
  createHmac('sha256', keys(`sign:${purpose}`))
    .update(text)
    .digest('base64url');

function open(keys: Keys, purpose: SealPurpose, sealed: string): string {
  const [version, data] = sealed.split('.');
  if (version !== 'v1' || !data) throw new Error('not a sealed value of this server');
  const bytes = Buffer.from(data, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keys(`seal:${purpose}`), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
