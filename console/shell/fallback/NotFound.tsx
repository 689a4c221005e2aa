import { useQueryClient } from '@tanstack/react-query';
import { useMatch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { defaultTeam, sessionOptions } from '../../api/session';
import { teamPath } from '../../lib/paths';
import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { lazyWithRetry } from '../../ui/lazyWithRetry';
import { useInsideFrame } from './useInsideFrame';

const Shell = lazyWithRetry(() => import('../Shell').then((m) => ({ default: m.Shell })));

/**
 * For unknown addresses, deleted objects and other teams' objects, which must look alike. Team members keep their
 * navigation, even after another team was deleted or left.
 */
export function NotFound() {
  const inside = useInsideFrame();
  const { routeId } = useMatch({ strict: false });
  const session = useQueryClient().getQueryData(sessionOptions().queryKey);
  const team = session === undefined || session.user === null ? undefined : defaultTeam(session);
  if (inside) return <FallbackPage kind="not_found" landmark={false} />;
  // Staff pages of CVMs have their own frame.
  if (team === undefined || team.refused !== null || routeId.startsWith('/admin/'))
    return <FallbackPage kind="not_found" />;
  return (
    <Suspense fallback={null}>
      <Shell teamSlug={team.slug} bell={null}>
        <FallbackPage kind="not_found" landmark={false} homeHref={teamPath(team.slug)} />
      </Shell>
    </Suspense>
  );
}
