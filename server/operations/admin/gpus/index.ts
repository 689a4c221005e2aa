import { attachAdminGpu } from './attachAdminGpu';
import { createAdminGpu } from './createAdminGpu';
import { deleteAdminGpu } from './deleteAdminGpu';
import { detachAdminGpu } from './detachAdminGpu';
import { getAdminGpu } from './getAdminGpu';
import { getAdminGpuEvent } from './getAdminGpuEvent';
import { listAdminGpuEvents } from './listAdminGpuEvents';
import { listAdminGpus } from './listAdminGpus';
import { markAdminGpuFaulty } from './markAdminGpuFaulty';
import { releaseAdminGpu } from './releaseAdminGpu';
import { repairAdminGpu } from './repairAdminGpu';
import { reserveAdminGpu } from './reserveAdminGpu';
import { updateAdminGpu } from './updateAdminGpu';

export const gpuHandlers = {
  attachAdminGpu,
  createAdminGpu,
  deleteAdminGpu,
  detachAdminGpu,
  getAdminGpu,
  getAdminGpuEvent,
  listAdminGpuEvents,
  listAdminGpus,
  markAdminGpuFaulty,
  releaseAdminGpu,
  repairAdminGpu,
  reserveAdminGpu,
  updateAdminGpu,
};
