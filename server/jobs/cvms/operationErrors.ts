import type { ProblemName } from '../../../generated/api/permissions.gen';
import { operationText } from '../../../console/lib/texts/operationTexts';
import type { Text } from '../../../console/lib/texts/text';

/** Ends the operation as failed, with this reason shown to the user. */
export class OperationFailed extends Error {
  constructor(
    readonly code: ProblemName,
    readonly reason: Text,
    /** Advice shown while the CVM is in an error state. */
    readonly advice?: Text,
  ) {
    super(reason.text);
  }
}

/** The operation was canceled, and its changes must be undone. */
export class Cancelled extends Error {}

/**
 * Another worker took over, or the process is stopping: stop immediately. The operation continues elsewhere.
 */
export class LeaseLost extends Error {}

/** Thrown when the run has already recorded its own end. */
export class AlreadyFinished extends Error {}

/** Why a step failed. Driver errors keep the host's or network's wording. */
export function reasonOf(error: unknown): Text {
  if (error instanceof OperationFailed) return error.reason;
  if (error instanceof Cancelled) return operationText('step_canceled');
  return operationText('host_error', { text: error instanceof Error ? error.message : String(error) });
}
