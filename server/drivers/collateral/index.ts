import type { Collateral } from '../../../console/lib/attestation/types';
import type { ChipFamily } from '../../domain/chip';

export type CollateralErrorKind =
  /** no answer, or not in time */
  | 'unreachable'
  /** it has none for this platform */
  | 'unknown_platform'
  /** an answer that is not collateral */
  | 'unusable'
  /** it should have been renewed */
  | 'stale';

/** The message is a sentence for people, without a credential in it. */
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
  /** When the first of its parts goes stale. */
  next_update: Date;
}

/** Intel's statements about a family of chips, from a PCCS or from Intel's own service. */
export interface CollateralDriver {
  /** Host it asks, for people. */
  readonly source: string;
  /**
   * Complete, current and of the right form. Not authenticated: that is the verifier's to do, who trusts nobody on the
   * way. @throws {CollateralError}
   */
  fetch(family: ChipFamily, options?: { signal?: AbortSignal }): Promise<FetchedCollateral>;
  close(): Promise<void>;
}
