/** One team's share of a run, when no worker ran for long: a month of a small team, and other teams' turn next. */
const MOST_MS = 10_000;

/**
 * Does what a team is behind with, one hour after the other, at least one and for about ten seconds. The next run continues.
 *
 * @param closeNext returns false once nothing is left
 */
export async function catchUp(closeNext: () => Promise<boolean>): Promise<void> {
  const stop = performance.now() + MOST_MS;
  while ((await closeNext()) && performance.now() < stop);
}
