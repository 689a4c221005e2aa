import { invalid } from '../../core/invalid';
import { amountOf } from '../amount';

/** @throws VALIDATION_FAILED if a code would end before it starts */
export function checkWindow({ starts_at, ends_at }: { starts_at: Date | null; ends_at: Date | null }): void {
  if (ends_at !== null && starts_at !== null && ends_at <= starts_at)
    throw invalid('ends_at', 'The end must be after the start.');
}

/** Default minimum of a welcome credit, in micro-dollars: a one-cent payment must not earn it. */
const MIN_FIRST_PAYMENT = 5_000_000;

/** Returns the smallest first payment that earns a welcome credit; null for other codes. @throws VALIDATION_FAILED */
export function minimumOf({
  welcome = false,
  minimum = null,
}: {
  welcome?: boolean;
  minimum?: string | null;
}): number | null {
  if (!welcome && minimum !== null) throw invalid('minimum', 'Only a welcome credit has a minimum payment.');
  if (!welcome) return null;
  return minimum === null ? MIN_FIRST_PAYMENT : amountOf(minimum, 'minimum');
}

/** @throws VALIDATION_FAILED for a welcome credit that one account could redeem repeatedly */
export function checkWelcome({
  welcome,
  max_uses_per_team,
}: {
  welcome: boolean;
  max_uses_per_team: number | null;
}): void {
  if (welcome && max_uses_per_team === null)
    throw invalid('max_uses_per_team', 'A welcome credit needs a limit per team.');
}
