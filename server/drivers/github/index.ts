export type GithubErrorKind = 'unknown_user' | 'unreachable';

/** `message` is a sentence for the person who typed the name. */
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

/** GitHub, or a server that answers like it, as far as people's public keys go. */
export interface GithubDriver {
  /** The SSH keys of a profile, one line each. Throws GithubError. */
  publicKeys(username: string, signal?: AbortSignal): Promise<string[]>;
}
