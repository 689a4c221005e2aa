import type { Migration } from 'kysely';
import * as foundation from './0001_foundation';
import * as reading from './0002_reading';

/** Every migration, by name, in order. Add at the end; never change one that has landed. */
export const migrations: Record<string, Migration> = {
  '0001_foundation': foundation,
  '0002_reading': reading,
};
