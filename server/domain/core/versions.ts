/** "0.5.7" → [0, 5, 7]; three or four numbers, as clients expect. Non-numbers count as 0. */
export function versionTuple(version: string): number[] {
  const numbers = (/\d+(\.\d+)*/.exec(version)?.[0] ?? '')
    .split('.')
    .map((part) => Math.min(Number(part) || 0, 100_000));
  while (numbers.length < 3) numbers.push(0);
  return numbers.slice(0, 4);
}
