import { useMatch } from '@tanstack/react-router';
import { Delayed, PageSkeleton, RowsSkeleton } from '../../ui/feedback/Skeletons';

/** Layouts that keep their header and heading while a nested page loads. */
const HEADED = /\/(?:\$vmUuid|\$cvmIdentifier|_pages)\//;

/** Default loading state; routes with a distinct layout provide their own. */
export function RoutePending() {
  const { routeId } = useMatch({ strict: false });
  if (!HEADED.test(routeId)) return <PageSkeleton />;
  return (
    <Delayed>
      <RowsSkeleton />
    </Delayed>
  );
}
