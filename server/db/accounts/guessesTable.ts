/**
 * One row per counter of password and code attempts. Written before each attempt is checked; see `countGuess`
 * (migration 0008_guessing).
 */
export interface GuessesTable {
  /** Kind and account, address or device the attempts are counted for. */
  key: string;
  /** Attempts in the current window; those over the allowance are refused unchecked. */
  attempts: number;
  /** Checked attempts since the last success or a day without any. Lengthens the next window. */
  total: number;
  window_ends_at: Date;
}
