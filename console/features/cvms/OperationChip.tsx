import type { OperationState } from '../../../generated/api/types.gen';
import { StatusChip } from '../../ui/feedback/StatusChip';
import { ToneChip } from '../../ui/feedback/ToneChip';

/** For a CVM "running" is healthy; for an operation it only means unfinished. */
export function OperationChip({ state }: { state: OperationState }) {
  if (state !== 'running') return <StatusChip status={state} />;
  return (
    <ToneChip tone="progress" glyph="spinner">
      In progress
    </ToneChip>
  );
}
