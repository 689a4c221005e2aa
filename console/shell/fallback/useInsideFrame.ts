import { useMatch } from '@tanstack/react-router';

/** Routes that render the shell. */
const FRAMES = ['/$teamSlug', '/dashboard'];

/**
 * Whether the fallback renders inside the shell, which already has the main landmark: true if a team's page failed,
 * false if the team itself did.
 */
export function useInsideFrame(): boolean {
  const { routeId, status } = useMatch({ strict: false });
  return FRAMES.some(
    (frame) => routeId.startsWith(`${frame}/`) || (routeId === frame && status === 'success'),
  );
}
