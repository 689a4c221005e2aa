import { useMatch } from '@tanstack/react-router';

/**
 * Whether the fallback stands inside the shell, which has the page's one main landmark already: when a page of a team
 * failed, not when the team itself did.
 */
export function useInsideFrame(): boolean {
  const { routeId, status } = useMatch({ strict: false });
  return routeId.startsWith('/$teamSlug/') || (routeId === '/$teamSlug' && status === 'success');
}
