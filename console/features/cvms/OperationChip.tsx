import type { OperationState } from '../../../generated/api/types.gen';
import { StatusChip, ToneChip } from '../../ui/feedback/StatusChip';

/** Of a CVM “running” is good news; of an operation it means that it is not finished. */
export function OperationChip({ state }: { state: OperationState }) {
  if (state !== 'running') return <StatusChip status={state} />;
  return (
    <ToneChip tone="progress" glyph="spinner">
      In progress
    </ToneChip>
  );
}
