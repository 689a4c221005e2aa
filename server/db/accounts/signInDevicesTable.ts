import type { Generated } from 'kysely';

/**
 * One row per device and country a user has signed in from. Written at sign-in, deleted after a year without
 * use (migration 0008_guessing).
 */
export interface SignInDevicesTable {
  user_id: number;
  /** Browser and operating system, without versions. */
  device: string;
  /** Name of the country the address belongs to. */
  country: string;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
}
