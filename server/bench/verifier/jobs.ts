import type { Collateral, Evidence, VerifyOptions } from '../../../console/lib/attestation/types';

/** The baseline's input from the same evidence. */
export interface TheirRequest {
  id: number;
  quote: Uint8Array;
  collateral: Collateral;
  root: Uint8Array;
  /** Unix seconds. */
  now: number;
}

/** One machine's evidence in both forms. */
export interface Jobs {
  options: VerifyOptions;
  platform: Evidence;
  whole: Evidence;
  theirs: Omit<TheirRequest, 'id'>;
}
