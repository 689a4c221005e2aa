/** This server's registration with the provider. */
export interface OidcClient {
  /** Exactly as the provider writes it in its tokens. */
  issuer: string;
  client_id: string;
  /** null: a public client, which only PKCE protects. */
  client_secret: string | null;
}

/** Values of one sign-in that bind the response to it. */
export interface OidcExchange {
  redirect_uri: string;
  state: string;
  nonce: string;
  /** RFC 7636 §4.1; only its SHA-256 leaves the server before the code returns. */
  code_verifier: string;
}

/** The user that the provider vouches for. */
export interface OidcIdentity {
  /** Never reassigned by the provider, unlike an email address (OpenID Connect Core §5.7). */
  subject: string;
  email: string | null;
  /** null if the provider doesn't state it. */
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
  /** the provider is unreachable, too slow, or at an address that isn't allowed */
  | 'unreachable'
  /** its responses contradict each other or the standard */
  | 'misconfigured'
  /** the user or the provider canceled the sign-in, or the code is invalid */
  | 'denied'
  /** the response isn't for this sign-in, or its token is invalid */
  | 'rejected';

/** `message` is a sentence for a team admin, without tokens, codes or secrets. */
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

/** An OpenID Connect relying party: authorization code flow with PKCE, state and nonce. */
export interface OidcDriver {
  /** Returns why connecting to this address isn't allowed, or null. */
  addressRefusal(issuer: string): Promise<string | null>;
  /** Checks a provider step by step; stops after the first step that fails. */
  inspect(issuer: string): Promise<OidcStep[]>;
  /** Returns the address where the browser signs in. Throws OidcError. */
  authorizationUrl(client: OidcClient, exchange: OidcExchange): Promise<string>;
  /**
   * Returns the identity in the provider's response: checks state and `iss` (RFC 9207), exchanges the code, checks
   * the ID token's signature, issuer, audience, times and nonce. Throws OidcError.
   * @param answer query parameters of the callback
   * @param claims names to request from UserInfo if the ID token lacks them
   */
  identify(
    client: OidcClient,
    exchange: OidcExchange,
    answer: Readonly<Record<string, string>>,
    claims: readonly string[],
  ): Promise<OidcIdentity>;
}
