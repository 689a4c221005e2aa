import type { Checks } from './checks';
import { DerError } from './x509/der';
import type { PckExtension } from './x509/pckExtension';
import { PemError } from './x509/pem';
import type { Evidence, Facts, Policy } from './types';
import type { Certificate } from './x509/x509';

/** State shared by the parts of one verification. */
export interface Run {
  checks: Checks;
  facts: Facts;
  evidence: Evidence;
  policy: Policy;
  /** Unix seconds. */
  now: number;
  roots: readonly Certificate[];
  /** Roots for GPU certificates; empty without GPU evidence. */
  gpuRoots: readonly Certificate[];
  /** Expiry times of the inputs in Unix seconds; the earliest counts. */
  stale: number[];
}

/** Chip information from the quote's certificates, once their chain is valid. */
export interface Chip {
  leaf: Certificate;
  authority: Certificate;
  root: Certificate;
  extension: PckExtension | undefined;
}

/** Returns why a certificate or list can't be parsed, as the end of a sentence. Rethrows any other error. */
export function readable(error: unknown): string {
  if (error instanceof DerError || error instanceof PemError) return error.message;
  throw error;
}

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);
