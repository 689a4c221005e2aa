import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { useInsideFrame } from './useInsideFrame';

/** For unknown addresses, deleted objects and objects of other teams, which must look alike. */
export function NotFound() {
  if (useInsideFrame()) return <FallbackPage kind="not_found" landmark={false} />;
  return (
    <FallbackPage kind="not_found" message="It may have been deleted or renamed, or the link was mistyped." />
  );
}
