import { createHash } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

/** Passkeys per WebAuthn Level 3: always discoverable, and always with user verification by the device. */

/**
 * Loaded on first use: certificates and their parsers take half a second, which server start and every CLI
 * command can spare.
 */
const library = () => import('@simplewebauthn/server');

export const CHALLENGE_SECONDS = 5 * 60;
export const MAX_PASSKEYS = 20;

export interface StoredPasskey {
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: string[];
}

export interface NewPasskey extends StoredPasskey {
  /** The authenticator syncs a copy elsewhere. */
  synced: boolean;
}

/** WebAuthn §5.8.1.2: an answer's values may be of any type. Everything in it is checked before it is trusted. */
export type CredentialJson = Readonly<Record<string, unknown>>;

const rpId = (public_url: string) => new URL(public_url).hostname;

const descriptors = (passkeys: readonly Pick<StoredPasskey, 'credential_id' | 'transports'>[]) =>
  passkeys.map(({ credential_id, transports }) => ({ id: credential_id.toString('base64url'), transports }));

/**
 * Options for navigator.credentials.create. The user handle is the public ID, which reveals nothing about the
 * user.
 */
export const registrationOptions = async (
  { brand, public_url }: { brand: string; public_url: string },
  user: { public_id: string; email: string; username: string },
  held: readonly StoredPasskey[],
) =>
  (await library()).generateRegistrationOptions({
    rpName: brand,
    rpID: rpId(public_url),
    userName: user.email,
    userDisplayName: user.username,
    userID: new Uint8Array(Buffer.from(user.public_id)),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    excludeCredentials: descriptors(held),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });

/** Options for navigator.credentials.get; without `held` the authenticator offers the accounts it knows. */
export const assertionOptions = async (public_url: string, held?: readonly StoredPasskey[]) =>
  (await library()).generateAuthenticationOptions({
    rpID: rpId(public_url),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'required',
    ...(held ? { allowCredentials: descriptors(held) } : {}),
  });

/** The stored form of a challenge. */
export const hashChallenge = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

/** The challenge an answer claims to be for; null when it names none. */
export function challengeOf(credential: CredentialJson): string | null {
  const { challenge } = clientData(credential);
  return typeof challenge === 'string' && challenge.length <= 200 ? challenge : null;
}

/** The credential an answer names; null when it names none. */
export function credentialIdOf(credential: CredentialJson): Buffer | null {
  const { id } = credential;
  return typeof id === 'string' && /^[\w-]{1,1400}$/.test(id) ? Buffer.from(id, 'base64url') : null;
}

/** The user handle of an answer: the account the authenticator signs in. */
export function userHandleOf(credential: CredentialJson): string | null {
  const handle = (credential.response as CredentialJson | undefined)?.userHandle;
  return typeof handle === 'string' && handle !== '' ? Buffer.from(handle, 'base64url').toString() : null;
}

/** Returns the new passkey, or null when the answer isn't a valid one to `challenge` from this site. */
export async function verifyRegistration(
  public_url: string,
  challenge: string,
  credential: CredentialJson,
): Promise<NewPasskey | null> {
  const answer = credential as unknown as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await library();
  const result = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: expectedOrigins(public_url, credential),
    expectedRPID: rpId(public_url),
    requireUserVerification: true,
  }).catch(() => null);
  if (!result?.verified) return null;
  const { credential: made, credentialBackedUp } = result.registrationInfo;
  const transports = Array.isArray(made.transports) ? made.transports : [];
  return {
    credential_id: Buffer.from(made.id, 'base64url'),
    public_key: Buffer.from(made.publicKey),
    counter: made.counter,
    transports: transports.filter((name) => /^[a-z-]{1,20}$/.test(String(name))).slice(0, 8),
    synced: credentialBackedUp,
  };
}

/**
 * Returns the counter after a valid answer to `challenge` by `passkey`, or null. A counter that doesn't grow
 * indicates a cloned authenticator.
 */
export async function verifyAssertion(
  public_url: string,
  challenge: string,
  credential: CredentialJson,
  passkey: StoredPasskey,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const result = await verifyAuthenticationResponse({
    response: credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: expectedOrigins(public_url, credential),
    expectedRPID: rpId(public_url),
    requireUserVerification: true,
    credential: {
      id: passkey.credential_id.toString('base64url'),
      publicKey: new Uint8Array(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(() => null);
  return result?.verified ? result.authenticationInfo.newCounter : null;
}

/** The server's own origin; over plain http, used only in development, with any port. */
function expectedOrigins(public_url: string, credential: CredentialJson): string[] {
  const own = new URL(public_url);
  const { origin } = clientData(credential);
  if (own.protocol !== 'http:' || typeof origin !== 'string' || !URL.canParse(origin)) return [own.origin];
  const given = new URL(origin);
  const same = given.protocol === own.protocol && given.hostname === own.hostname;
  return same ? [own.origin, given.origin] : [own.origin];
}

/** Unverified: the answer's own claim. */
function clientData(credential: CredentialJson): CredentialJson {
  const encoded = (credential.response as CredentialJson | undefined)?.clientDataJSON;
  if (typeof encoded !== 'string') return {};
  try {
    const data: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    return typeof data === 'object' && data !== null ? (data as CredentialJson) : {};
  } catch {
    return {};
  }
}
