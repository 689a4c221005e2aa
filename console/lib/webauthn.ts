import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';

/*
 * Passkeys. Loaded on demand (`await import('…/lib/webauthn')`): pages offer a passkey long before anybody uses one.
 * Options and answers are the JSON forms of WebAuthn Level 3 §5.1.8, as the API carries them.
 */

export type PasskeyJson = Record<string, unknown>;

/** Why there is no passkey, in words for the person. `cancelled`: they closed the dialog, or let it time out. */
export class PasskeyError extends Error {
  constructor(
    message: string,
    readonly cancelled: boolean,
    cause: unknown,
  ) {
    super(message, { cause });
    this.name = 'PasskeyError';
  }
}

/** Asks the device for a passkey. Throws PasskeyError. */
export async function askForPasskey(options: PasskeyJson): Promise<PasskeyJson> {
  return answerOf(() =>
    startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    }),
  );
}

/** Makes a passkey on the device, able to open a vault where the device can do that. Throws PasskeyError. */
export async function makePasskey(options: PasskeyJson): Promise<PasskeyJson> {
  // Many devices give a passkey the PRF extension only when it is asked for as the passkey is made.
  const extensions = { ...(options['extensions'] as object | undefined), prf: {} };
  return answerOf(() =>
    startRegistration({
      optionsJSON: {
        ...options,
        extensions,
      } as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
    }),
  );
}

/**
 * What a passkey makes of a salt, the same each time: WebAuthn Level 3 §10.1.4, prf. Throws PasskeyError, also when the
 * passkey or the browser cannot do it.
 */
export async function askForPrf(
  options: PasskeyJson,
  salt: Uint8Array,
): Promise<{ credential_id: string; prf: Uint8Array }> {
  const answer = await askForPasskey({ ...options, extensions: { prf: { eval: { first: salt } } } });
  const { id, clientExtensionResults } = answer as {
    id: string;
    clientExtensionResults: { prf?: { results?: { first?: ArrayBuffer } } };
  };
  const first = clientExtensionResults.prf?.results?.first;
  if (!first)
    throw new PasskeyError(
      'This passkey cannot open a vault: it, or this browser, lacks the “PRF” extension. Remove it and add it anew, or use a passphrase.',
      false,
      undefined,
    );
  return { credential_id: id, prf: new Uint8Array(first) };
}

export const canAutofillPasskeys = browserSupportsWebAuthnAutofill;

/**
 * Lets the browser offer passkeys where it offers saved passwords, in the field with autocomplete "… webauthn". Waits
 * until the person takes one; undefined when it was ended by `endPasskeyAutofill` or by asking outright.
 */
export async function autofillPasskey(options: PasskeyJson): Promise<PasskeyJson | undefined> {
  try {
    return await answerOf(() =>
      startAuthentication({
        optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
        useBrowserAutofill: true,
      }),
    );
  } catch (error) {
    if (error instanceof PasskeyError && error.cancelled) return undefined;
    throw error;
  }
}

export const endPasskeyAutofill = (): void => WebAuthnAbortService.cancelCeremony();

async function answerOf(ceremony: () => Promise<object>): Promise<PasskeyJson> {
  try {
    return { ...(await ceremony()) };
  } catch (error) {
    throw toPasskeyError(error);
  }
}

function toPasskeyError(error: unknown): PasskeyError {
  const { name, code } = error instanceof WebAuthnError ? error : { name: nameOf(error), code: undefined };
  if (code === 'ERROR_CEREMONY_ABORTED' || name === 'AbortError' || name === 'NotAllowedError')
    return new PasskeyError('No passkey was chosen, or the time ran out.', true, error);
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return new PasskeyError(
      'This device or security key has a passkey for your account already.',
      false,
      error,
    );
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' || name === 'SecurityError')
    return new PasskeyError(
      'Passkeys work at the public address of this server only, over https.',
      false,
      error,
    );
  return new PasskeyError(
    'The device could not use a passkey. Try again, or take another way.',
    false,
    error,
  );
}

const nameOf = (error: unknown): string | undefined => (error instanceof Error ? error.name : undefined);
