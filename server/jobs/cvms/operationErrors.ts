import type { ProblemName } from '../../../generated/api/permissions.gen';
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
