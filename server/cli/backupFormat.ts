import { z } from 'zod';
import { createSeal } from '../domain/core/seal';

/**
 * A backup is a gzip of lines, each a JSON object: a header; then, per table, its name and columns, its rows as
 * PostgreSQL prints them (no value passes through JavaScript's numbers) and its counters; finally the total number of
 * rows. A file without the last line is truncated.
 */
export const FORMAT = 'teehouse-backup';
export const FORMAT_VERSION = 1;

export const header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  release: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
  /** Identifies a TEEHOUSE_SECRET without revealing anything about it. */
  secret_check: z.string(),
  /** Last values of sequences that belong to no column; absent in older backups. */
  sequences: z.record(z.string(), z.string().nullable()).optional(),
});
export type Header = z.infer<typeof header>;

export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
export const countersLine = z.object({ counters: z.record(z.string(), z.string().nullable()) });
export const endLine = z.object({ end: z.record(z.string(), z.number()) });

/** Row lines start with this letter and go to PostgreSQL unparsed. */
export const ROW = 'R';
export const NOTE = 'N';

export const secretCheck = (secret: string) =>
  createSeal(Buffer.from(secret)).sign('backup', 'the secret of this installation').slice(0, 22);
