/**
 * One team's share of a run after workers were down for long. It covers about a month of a small team, and
 * other teams get their turn.
 */
const MAX_MS = 10_000;

/**
 * Works through a team's backlog hour by hour, at least one hour and for about ten seconds. The next run
 * continues.
 *
 * @param closeNext returns false once nothing is left
 */
export async function catchUp(closeNext: () => Promise<boolean>): Promise<void> {
  const stop = performance.now() + MAX_MS;
  while ((await closeNext()) && performance.now() < stop);
}
