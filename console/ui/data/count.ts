/** "10 412": groups of three with a thin space, so that it reads the same in every language. */
export const count = (n: number): string => String(n).replaceAll(/(?<!\.\d*)\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** "25 of 10 412 CVMs"; without a total, "25 CVMs". */
export function countOf(shown: number, total: number | undefined, noun = ''): string {
  const word = noun === '' ? '' : ` ${noun}`;
  if (total === undefined) return `${count(shown)}${word}`;
  return `${count(shown)} of ${count(total)}${word}`;
}
