import type { Migration } from 'kysely';
import * as foundation from './0001_foundation';

/** Every migration, by name, in order. Add at the end; never change one that has landed. */
export const migrations: Record<string, Migration> = {
  '0001_foundation': foundation,
};
