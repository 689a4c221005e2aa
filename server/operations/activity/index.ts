import { getEvent } from './getEvent';
import { getOperation } from './getOperation';
import { listCvmOperations } from './listCvmOperations';
import { listEvents } from './listEvents';
import { listOperations } from './listOperations';
import { streamEvents } from './streamEvents';

export const activityHandlers = {
  listOperations,
  getOperation,
  listCvmOperations,
  listEvents,
  getEvent,
  streamEvents,
};
