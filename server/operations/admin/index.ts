import { contentHandlers } from './content';
import { systemHandlers } from './system';
import { adminCvmHandlers } from './cvms';
import { fleetHandlers } from './fleet';
import { adminListHandlers } from './lists';
import { createAdminInstanceType } from './createAdminInstanceType';
import { createAdminNode } from './createAdminNode';
import { createAdminTeepod } from './createAdminTeepod';
import { deleteAdminInstanceType } from './deleteAdminInstanceType';
import { deleteAdminNode } from './deleteAdminNode';
import { deleteAdminTeepod } from './deleteAdminTeepod';
import { getAdminInstanceType } from './getAdminInstanceType';
import { getAdminMonitoringEvent } from './getAdminMonitoringEvent';
import { getAdminNode } from './getAdminNode';
import { getAdminOutbox } from './getAdminOutbox';
import { getAdminTeepod } from './getAdminTeepod';
import { gpuHandlers } from './gpus';
import { kmsHandlers } from './kms';
import { listAdminInstanceTypes } from './listAdminInstanceTypes';
import { listAdminMonitoringEvents } from './listAdminMonitoringEvents';
import { listAdminNodes } from './listAdminNodes';
import { listAdminOutbox } from './listAdminOutbox';
import { listAdminTeepods } from './listAdminTeepods';
import { adminPeopleHandlers } from './people';
import { retryAdminOutbox } from './retryAdminOutbox';
import { updateAdminInstanceType } from './updateAdminInstanceType';
import { updateAdminNode } from './updateAdminNode';
import { updateAdminTeepod } from './updateAdminTeepod';

/** The operations of tag `admin`. */
export const adminHandlers = {
  ...fleetHandlers,
  ...adminCvmHandlers,
  ...adminListHandlers,
  ...contentHandlers,
  ...systemHandlers,
  ...gpuHandlers,
  ...kmsHandlers,
  ...adminPeopleHandlers,
  createAdminInstanceType,
  createAdminNode,
  createAdminTeepod,
  deleteAdminInstanceType,
  deleteAdminNode,
  deleteAdminTeepod,
  getAdminInstanceType,
  getAdminMonitoringEvent,
  getAdminNode,
  getAdminOutbox,
  getAdminTeepod,
  listAdminInstanceTypes,
  listAdminMonitoringEvents,
  listAdminNodes,
  listAdminOutbox,
  listAdminTeepods,
  retryAdminOutbox,
  updateAdminInstanceType,
  updateAdminNode,
  updateAdminTeepod,
};
