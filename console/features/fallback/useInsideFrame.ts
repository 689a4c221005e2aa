import { useMatch } from '@tanstack/react-router';

/** The routes that put the shell around their pages. */
const FRAMES = ['/$teamSlug', '/dashboard'];

/**
 * Whether the fallback stands inside the shell, which has the page's one main landmark already: when a page of a team
 * failed, not when the team itself did.
 */
export function useInsideFrame(): boolean {
  const { routeId, status } = useMatch({ strict: false });
  return FRAMES.some(
    (frame) => routeId.startsWith(`${frame}/`) || (routeId === frame && status === 'success'),
  );
}
