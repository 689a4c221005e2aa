import { z } from 'zod';
import { createSeal } from '../domain/seal';

/**
 * A backup: gzip of lines, each a JSON object. First the header; then per table its name and columns, its rows as
 * PostgreSQL writes them (so that no value passes through JavaScript's numbers), its counters; last how many rows
 * there were, without which the file is cut off.
 */
export const FORMAT = 'teehouse-backup';
export const FORMAT_VERSION = 1;

export const header = z.object({
  format: z.literal(FORMAT),
  version: z.literal(FORMAT_VERSION),
  release: z.string(),
  created_at: z.string(),
  migrations: z.array(z.string()).min(1),
  /** The same for the same TEEHOUSE_SECRET; says nothing about it. */
  secret_check: z.string(),
});
export type Header = z.infer<typeof header>;

export const tableLine = z.object({ table: z.string(), columns: z.array(z.string()) });
export const countersLine = z.object({ counters: z.record(z.string(), z.string().nullable()) });
export const endLine = z.object({ end: z.record(z.string(), z.number()) });

/** Row lines begin with this letter and go to PostgreSQL unread. */
export const ROW = 'R';
export const NOTE = 'N';

export const secretCheck = (secret: string) =>
  createSeal(Buffer.from(secret)).sign('backup', 'the secret of this installation').slice(0, 22);
