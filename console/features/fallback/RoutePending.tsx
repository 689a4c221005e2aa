import { PageSkeleton } from '../../ui/feedback/Skeletons';

/** A page on its way; routes with a more telling shape bring their own. */
export function RoutePending() {
  return <PageSkeleton />;
}
