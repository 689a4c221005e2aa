/** This server as the provider knows it. */
export interface OidcClient {
  /** As the provider writes it in its tokens, to the letter. */
  issuer: string;
  client_id: string;
  /** null: a public client, which PKCE alone protects. */
  client_secret: string | null;
}

/** What belongs to one sign-in and ties its answer to it. */
export interface OidcExchange {
  redirect_uri: string;
  state: string;
  nonce: string;
  /** RFC 7636 §4.1; only its SHA-256 leaves the server before the code comes back. */
  code_verifier: string;
}

/** Whom the provider vouches for. */
export interface OidcIdentity {
  /** Never reassigned by the provider, unlike an e-mail address (OpenID Connect Core §5.7). */
  subject: string;
  email: string | null;
  /** null: the provider does not say. */
  email_verified: boolean | null;
  name: string | null;
  /** Claims of the ID token, and of UserInfo where the token lacks them. */
  claims: Readonly<Record<string, unknown>>;
}

export interface OidcStep {
  name: string;
  ok: boolean;
  detail: string;
}

export type OidcErrorKind =
  /** the provider could not be asked: not there, too slow, or at an address the server does not go to */
  | 'unreachable'
  /** its answers do not fit each other or the standard */
  | 'misconfigured'
  /** the person or the provider broke the sign-in off, or the code is worth nothing */
  | 'denied'
  /** the answer is not for this sign-in, or its token does not hold */
  | 'rejected';

/** `message` is a sentence for an admin of the team. It holds no token, code or secret. */
export class OidcError extends Error {
  constructor(
    readonly kind: OidcErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OidcError';
  }
}

/** A relying party of OpenID Connect: authorization code flow with PKCE, state and nonce. */
export interface OidcDriver {
  /** Why the server does not go to this address, or null. */
  addressRefusal(issuer: string): Promise<string | null>;
  /** Looks at a provider step by step; the first step that fails is the last. */
  inspect(issuer: string): Promise<OidcStep[]>;
  /** Where the browser signs in. Throws OidcError. */
  authorizationUrl(client: OidcClient, exchange: OidcExchange): Promise<string>;
  /**
   * The identity behind the provider's answer: checks state and `iss` (RFC 9207), trades the code, checks the ID
   * token's signature, issuer, audience, times and nonce. Throws OidcError.
   * @param answer query parameters of the callback
   * @param claims names worth asking UserInfo for when the ID token lacks them
   */
  identify(
    client: OidcClient,
    exchange: OidcExchange,
    answer: Readonly<Record<string, string>>,
    claims: readonly string[],
  ): Promise<OidcIdentity>;
}
