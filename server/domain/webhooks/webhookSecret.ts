import type { Seal } from '../core/seal';

const PURPOSE = 'webhook-secret';

export const sealWebhookSecret = (seal: Seal, secret: string) => seal.seal(PURPOSE, secret);

interface Sealed {
  sealed_secret: string;
  sealed_previous_secret: string | null;
  previous_secret_until: Date | null;
}

/** Returns the secret, and the previous one while it is valid. @throws when they were sealed with another key */
export function openSecrets(
  seal: Seal,
  { sealed_secret, sealed_previous_secret, previous_secret_until }: Sealed,
  at: Date,
): { secret: string; previous: string | null } {
  const counts =
    sealed_previous_secret !== null && previous_secret_until !== null && previous_secret_until > at;
  return {
    secret: seal.open(PURPOSE, sealed_secret),
    previous: counts ? seal.open(PURPOSE, sealed_previous_secret) : null,
  };
}
