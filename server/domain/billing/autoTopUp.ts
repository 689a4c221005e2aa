/** Maximum consecutive charges, one an hour, until the balance is above the threshold. */
export const MAX_CHARGES = 10;

/** Returns the highest balance below which an amount may be charged. Micro-dollars. */
export const mostThreshold = (amount_micros: number): number => amount_micros * MAX_CHARGES;

/** The effective threshold: some were agreed to before there was a limit. */
export const thresholdOf = ({
  amount_micros,
  threshold_micros,
}: {
  amount_micros: number;
  threshold_micros: number;
}): number => Math.min(threshold_micros, mostThreshold(amount_micros));
