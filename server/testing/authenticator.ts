import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** A software authenticator: ES256, attestation "none", discoverable keys (WebAuthn Level 3 §6). */
export interface Passkey {
  id: string;
  key: KeyObject;
  rp_id: string;
  user_handle: string;
  counter: number;
}

/** Overrides what an honest browser and device would do. */
export interface Dishonest {
  origin?: string;
  rp_id?: string;
  challenge?: string;
  verified?: boolean;
  counter?: number;
  type?: string;
  user_handle?: string | null;
  /** Signs with this key instead. */
  key?: KeyObject;
}

type Options = Readonly<Record<string, unknown>>;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKED_UP = 0x18;
const KEY_FOLLOWS = 0x40;

const b64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

/** Result of navigator.credentials.create, and the private key that stays in the device. */
export function register(
  origin: string,
  options: Options,
  lies: Dishonest & { id?: string } = {},
): { passkey: Passkey; credential: Record<string, unknown> } {
  const rp = options.rp as { id: string };
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = lies.id ?? b64(randomBytes(32));
  const counter = lies.counter ?? 0;
  const passkey: Passkey = {
    id,
    key: privateKey,
    rp_id: rp.id,
    user_handle: (options.user as { id: string }).id,
    counter,
  };
  const raw = Buffer.from(id, 'base64url');
  const authData = Buffer.concat([
    authenticatorData(lies.rp_id ?? rp.id, counter, lies.verified ?? true, KEY_FOLLOWS),
    Buffer.alloc(16),
    Buffer.from([raw.length >> 8, raw.length & 255]),
    raw,
    coseKey(publicKey),
  ]);
  const attestationObject = map([
    [text('fmt'), text('none')],
    [text('attStmt'), map([])],
    [text('authData'), bytes(authData)],
  ]);
  const response = {
    clientDataJSON: b64(clientData(lies.type ?? 'webauthn.create', origin, options, lies)),
    attestationObject: b64(attestationObject),
    transports: ['internal'],
  };
  return { passkey, credential: answer(id, response) };
}

/** Result of navigator.credentials.get. The counter increases by one each time. */
export function assert(
  origin: string,
  options: Options,
  passkey: Passkey,
  lies: Dishonest = {},
): Record<string, unknown> {
  passkey.counter = lies.counter ?? passkey.counter + 1;
  const client = clientData(lies.type ?? 'webauthn.get', origin, options, lies);
  const data = authenticatorData(lies.rp_id ?? passkey.rp_id, passkey.counter, lies.verified ?? true, 0);
  const handle = lies.user_handle === undefined ? passkey.user_handle : lies.user_handle;
  return answer(passkey.id, {
    clientDataJSON: b64(client),
    authenticatorData: b64(data),
    signature: b64(sign('sha256', Buffer.concat([data, sha256(client)]), lies.key ?? passkey.key)),
    ...(handle === null ? {} : { userHandle: handle }),
  });
}

const answer = (id: string, response: object) => ({
  id,
  rawId: id,
  type: 'public-key',
  response,
  clientExtensionResults: {},
});

const clientData = (type: string, origin: string, options: Options, lies: Dishonest) =>
  JSON.stringify({
    type,
    challenge: lies.challenge ?? options.challenge,
    origin: lies.origin ?? origin,
    crossOrigin: false,
  });

function authenticatorData(rp_id: string, counter: number, verified: boolean, more: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flags = USER_PRESENT | BACKED_UP | (verified ? USER_VERIFIED : 0) | more;
  return Buffer.concat([sha256(rp_id), Buffer.from([flags]), count]);
}

/** RFC 9052 §7: kty EC2, alg ES256, crv P-256, x, y. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string };
  return map([
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), bytes(Buffer.from(x, 'base64url'))],
    [int(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
}

/** The subset of CBOR (RFC 8949) needed above. */
function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (entries: [Buffer, Buffer][]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);
