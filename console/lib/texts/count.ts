/** Groups digits as amounts of money do: "10,412". */
export const count = (n: number): string => String(n).replaceAll(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, ',');

/** Formats a total, exact or estimated: "10,412", "about 1,000,000". */
export const totalOf = (total: number, estimated = false): string =>
  estimated ? `about ${count(rounded(total))}` : count(total);

/** An estimate has at most two significant digits. */
function rounded(n: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1);
  return Math.round(n / unit) * unit;
}

/** The noun being counted: one form for every number, or singular and plural. */
type Noun = string | readonly [one: string, many: string];

const nounFor = (n: number, noun: Noun): string => (typeof noun === 'string' ? noun : noun[n === 1 ? 0 : 1]);

/** "1 port", "2 ports", "10,412 ports". */
export const counted = (n: number, noun: Noun): string => `${count(n)} ${nounFor(n, noun)}`;

interface CountOptions {
  /** Whether the total is an estimate. */
  estimated?: boolean | undefined;
  /** Whether there are more than those shown. */
  more?: boolean | undefined;
}

/** "25 of 10,412 CVMs"; without a total, "25 CVMs", or "25+ CVMs" if there are more. */
export function countOf(
  shown: number,
  total: number | undefined,
  noun: Noun = '',
  { estimated = false, more = false }: CountOptions = {},
): string {
  const word = noun === '' ? '' : ` ${nounFor(total ?? (more ? shown + 1 : shown), noun)}`;
  if (total === undefined) return `${count(shown)}${more ? '+' : ''}${word}`;
  return `${count(shown)} of ${totalOf(total, estimated)}${word}`;
}
