import { FallbackPage } from '../../ui/feedback/FallbackPage';
import { useInsideFrame } from './useInsideFrame';

/** An address nobody serves, or a thing that is gone (or is not the caller's, which must look the same). */
export function NotFound() {
  if (useInsideFrame()) return <FallbackPage kind="not_found" landmark={false} />;
  return (
    <FallbackPage kind="not_found" message="It may have been deleted or renamed, or the link was mistyped." />
  );
}
