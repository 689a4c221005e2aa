import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  WebAuthnError,
} from '@simplewebauthn/browser';

/*
 * Passkeys. Loaded on demand (`await import('…/lib/webauthn')`), because most visits never use one. Options and
 * responses use the JSON forms of WebAuthn Level 3 §5.1.8, like the API.
 */

export type PasskeyJson = Record<string, unknown>;

/**
 * Why no passkey was returned, as a message for the user. `cancelled`: the user closed the dialog or it timed
 * out.
 */
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

/** Creates a passkey on the device, with vault support where available. Throws PasskeyError. */
export async function makePasskey(options: PasskeyJson): Promise<PasskeyJson> {
  // Many devices enable the PRF extension only if it is requested when the passkey is created.
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
 * Returns a passkey's PRF output for a salt (WebAuthn Level 3 §10.1.4), which is the same every time. Throws
 * PasskeyError, also if the passkey or browser doesn't support it.
 *
 * @param salt for any of the user's passkeys, or by the ID of those that may be used
 */
export async function askForPrf(
  options: PasskeyJson,
  salt: Uint8Array | ReadonlyMap<string, Uint8Array>,
): Promise<{ credential_id: string; prf: Uint8Array }> {
  const answer = await askForPasskey(
    salt instanceof Uint8Array
      ? { ...options, extensions: { prf: { eval: { first: salt } } } }
      : {
          ...options,
          allowCredentials: [...salt.keys()].map((id) => ({ type: 'public-key', id })),
          extensions: { prf: prfInput(salt) },
        },
  );
  const { id, clientExtensionResults } = answer as {
    id: string;
    clientExtensionResults: { prf?: { results?: { first?: ArrayBuffer } } };
  };
  const first = clientExtensionResults.prf?.results?.first;
  if (!first)
    throw new PasskeyError(
      'This passkey can’t open a vault: the passkey or this browser lacks the PRF extension. Remove it and add it again, or use a passphrase.',
      false,
      undefined,
    );
  return { credential_id: id, prf: new Uint8Array(first) };
}

/** Also names the salt of a single passkey as `eval`, because some authenticators ignore `evalByCredential`. */
function prfInput(salts: ReadonlyMap<string, Uint8Array>) {
  const evalByCredential = Object.fromEntries([...salts].map(([id, first]) => [id, { first }]));
  const [only] = salts.size === 1 ? Object.values(evalByCredential) : [];
  return { evalByCredential, ...(only ? { eval: only } : {}) };
}

export const canAutofillPasskeys = browserSupportsWebAuthnAutofill;

/**
 * Offers passkeys in the browser's autofill, in the field with autocomplete "… webauthn". Waits until the user
 * picks one; returns undefined if `endPasskeyAutofill` or an explicit request ends it.
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
    return new PasskeyError('No passkey was selected, or the request timed out.', true, error);
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED' || name === 'InvalidStateError')
    return new PasskeyError(
      'This device or security key already has a passkey for your account.',
      false,
      error,
    );
  if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID' || name === 'SecurityError')
    return new PasskeyError('Passkeys only work at this server’s public address, over HTTPS.', false, error);
  return new PasskeyError(
    'The device couldn’t use a passkey. Try again, or use another method.',
    false,
    error,
  );
}

const nameOf = (error: unknown): string | undefined => (error instanceof Error ? error.name : undefined);
