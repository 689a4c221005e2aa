export type GithubErrorKind = 'unknown_user' | 'unreachable';

/** `message` is a sentence for the user who typed the name. */
export class GithubError extends Error {
  constructor(
    readonly kind: GithubErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'GithubError';
  }
}

/** Reads users' public keys from GitHub or a compatible server. */
export interface GithubDriver {
  /** Returns a profile's SSH keys, one line each. Throws GithubError. */
  publicKeys(username: string, signal?: AbortSignal): Promise<string[]>;
}
