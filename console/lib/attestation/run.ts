import type { Checks } from './checks';
import { DerError } from './der';
import type { PckExtension } from './pckExtension';
import { PemError } from './pem';
import type { Evidence, Facts, Policy } from './types';
import type { Certificate } from './x509';

/** All that the parts of one verification share. */
export interface Run {
  checks: Checks;
  facts: Facts;
  evidence: Evidence;
  policy: Policy;
  /** Unix seconds. */
  now: number;
  roots: readonly Certificate[];
  /** Unix seconds at which something used here goes stale; the earliest counts. */
  stale: number[];
}

/** What the quote's own certificates say of the chip, once their chain is good. */
export interface Chip {
  leaf: Certificate;
  authority: Certificate;
  root: Certificate;
  extension: PckExtension | undefined;
}

/** Why a certificate or list cannot be read, to complete a sentence. Other errors are ours and go on. */
export function readable(error: unknown): string {
  if (error instanceof DerError || error instanceof PemError) return error.message;
  throw error;
}

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
