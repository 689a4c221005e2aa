import { Problem } from '../../../domain/core/problem';

/**
 * The second half of updates that a contract must allow first. Their tokens come with status 465, which this
 * server never returns while it has no key management service on a chain, so every token is unknown.
 */
export const unknownToken = () =>
  new Problem('HASH_INVALID_OR_EXPIRED', {
    message: 'The commit token is not one of this server, or has expired.',
    suggestions: ['Updates of this server need no commit: send the update itself again.'],
  });
