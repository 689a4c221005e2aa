import type { Passkey, SecondFactors } from '../../../generated/api/types.gen';

interface PasskeyFields {
  public_id: string;
  name: string;
  synced: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

export const passkeyOut = (row: PasskeyFields): Passkey => ({
  id: row.public_id,
  name: row.name,
  synced: row.synced,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

/** Returns a user's second factors. A `totp` whose setup is unfinished doesn't count. */
export const secondFactorsOut = (
  totp: { confirmed_at: Date | null; last_used_at: Date | null } | undefined,
  passkeys: readonly PasskeyFields[],
  recovery_codes_left: number,
): SecondFactors => ({
  totp: totp?.confirmed_at
    ? {
        confirmed_at: totp.confirmed_at.toISOString(),
        last_used_at: totp.last_used_at?.toISOString() ?? null,
      }
    : null,
  passkeys: passkeys.map(passkeyOut),
  recovery_codes_left,
});
