/**
 * Returns a model's upstreams in the order to try them: the preferred one first, failing ones last.
 * @param isAvoided whether an upstream has just failed
 */
export function inOrder<T extends { health: string }>(
  routes: readonly T[],
  isAvoided: (route: T) => boolean = () => false,
): T[] {
  const isDoubtful = (route: T) => route.health === 'failing' || isAvoided(route);
  return [...routes.filter((route) => !isDoubtful(route)), ...routes.filter(isDoubtful)];
}
