import type { Collateral } from '../../../console/lib/attestation/types';
import type { ChipFamily } from '../../domain/attestation/chipFamily';

export type CollateralErrorKind =
  /** no response, or not in time */
  | 'unreachable'
  /** it has none for this platform */
  | 'unknown_platform'
  /** a response that isn't collateral */
  | 'unusable'
  /** it is past its renewal date */
  | 'stale';

/** The message is a sentence for users, without credentials. */
export class CollateralError extends Error {
  override name = 'CollateralError';
  constructor(
    readonly kind: CollateralErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export interface FetchedCollateral {
  collateral: Collateral;
  /** When its first part expires. */
  next_update: Date;
}

/** Fetches Intel's statements about a family of chips, from a PCCS or from Intel's own service. */
export interface CollateralDriver {
  /** Host it contacts, for display. */
  readonly source: string;
  /**
   * Complete, current and well-formed. Not authenticated: the verifier does that and trusts nothing in between.
   * @throws {CollateralError}
   */
  fetch(family: ChipFamily, options?: { signal?: AbortSignal }): Promise<FetchedCollateral>;
  close(): Promise<void>;
}
