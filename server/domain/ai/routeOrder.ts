/**
 * Returns a model's upstreams in the order in which they are tried: the preferred one first, and those that are failing last.
 * @param isAvoided whether an upstream failed just now
 */
export function inOrder<T extends { health: string }>(
  routes: readonly T[],
  isAvoided: (route: T) => boolean = () => false,
): T[] {
  const isDoubtful = (route: T) => route.health === 'failing' || isAvoided(route);
  return [...routes.filter((route) => !isDoubtful(route)), ...routes.filter(isDoubtful)];
}
