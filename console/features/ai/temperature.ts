const MAX = 2;

/** Returns the temperature as typed; null for the model server's default, and for anything invalid. */
export function readTemperature(typed: string): number | null {
  const text = typed.trim();
  return /^\d(\.\d{1,3})?$/.test(text) && Number(text) <= MAX ? Number(text) : null;
}

export const temperatureError = (typed: string): string | undefined =>
  typed.trim() === '' || readTemperature(typed) !== null
    ? undefined
    : `Enter a number from 0 to ${MAX}, such as 0.7.`;
