/** One row per open WebAuthn challenge. Written when a passkey ceremony starts (migration 0003_people). */
export interface PasskeyChallengesTable {
  challenge_hash: Buffer;
  purpose: 'register' | 'sign_in' | 'second_factor' | 'step_up';
  /** Null for `sign_in`: any passkey may answer. */
  user_id: number | null;
  expires_at: Date;
}
