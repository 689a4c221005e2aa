import { getEvent } from './getEvent';
import { cancelCvmOperation } from './cancelCvmOperation';
import { cancelOperation } from './cancelOperation';
import { getOperation } from './getOperation';
import { listCvmOperations } from './listCvmOperations';
import { listEvents } from './listEvents';
import { listOperations } from './listOperations';
import { streamEvents } from './streamEvents';

export const activityHandlers = {
  cancelOperation,
  cancelCvmOperation,
  listOperations,
  getOperation,
  listCvmOperations,
  listEvents,
  getEvent,
  streamEvents,
};
