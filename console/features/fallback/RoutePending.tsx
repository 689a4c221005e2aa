import { useMatch } from '@tanstack/react-router';
import { Delayed, PageSkeleton, RowsSkeleton } from '../../ui/feedback/Skeletons';
import { VisuallyHidden } from '../../ui/VisuallyHidden';

/** Layouts that keep their header, with the page's heading in it, while a page inside them is fetched. */
const HEADED = /\/(?:\$vmUuid|\$cvmIdentifier|_pages)\//;

/** A page on its way; routes with a more telling shape bring their own. */
export function RoutePending() {
  const { routeId } = useMatch({ strict: false });
  if (!HEADED.test(routeId)) return <PageSkeleton />;
  return (
    <Delayed role="status">
      <VisuallyHidden>Loading</VisuallyHidden>
      <RowsSkeleton />
    </Delayed>
  );
}
