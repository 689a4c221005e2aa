import { acknowledgeAdminAlert } from './acknowledgeAdminAlert';
import { cancelAdminQueueJob } from './cancelAdminQueueJob';
import { createAdminChatCode } from './createAdminChatCode';
import { deleteAdminChatLink } from './deleteAdminChatLink';
import { deleteAdminChatToken } from './deleteAdminChatToken';
import { getAdminAlert } from './getAdminAlert';
import { getAdminChat } from './getAdminChat';
import { getAdminQueue } from './getAdminQueue';
import { getAdminQueueJob } from './getAdminQueueJob';
import { getAdminSchedule } from './getAdminSchedule';
import { getAdminWorker } from './getAdminWorker';
import { listAdminAlerts } from './listAdminAlerts';
import { listAdminQueueJobs } from './listAdminQueueJobs';
import { listAdminQueues } from './listAdminQueues';
import { listAdminSchedules } from './listAdminSchedules';
import { listAdminWorkers } from './listAdminWorkers';
import { retryAdminQueueJob } from './retryAdminQueueJob';
import { setAdminChatToken } from './setAdminChatToken';
import { testAdminChatLink } from './testAdminChatLink';
import { updateAdminChatLink } from './updateAdminChatLink';

export const systemHandlers = {
  acknowledgeAdminAlert,
  cancelAdminQueueJob,
  createAdminChatCode,
  deleteAdminChatLink,
  deleteAdminChatToken,
  getAdminAlert,
  getAdminChat,
  getAdminQueue,
  getAdminQueueJob,
  getAdminSchedule,
  getAdminWorker,
  listAdminAlerts,
  listAdminQueueJobs,
  listAdminQueues,
  listAdminSchedules,
  listAdminWorkers,
  retryAdminQueueJob,
  setAdminChatToken,
  testAdminChatLink,
  updateAdminChatLink,
};
