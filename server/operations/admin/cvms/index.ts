import { restartAdminCvm, shutdownAdminCvm, startAdminCvm, stopAdminCvm } from './actions';
import { getAdminCvm } from './getAdminCvm';
import { getAdminInstanceEvent } from './getAdminInstanceEvent';
import { listAdminCvms } from './listAdminCvms';
import { listAdminInstanceEvents } from './listAdminInstanceEvents';

export const adminCvmHandlers = {
  getAdminCvm,
  getAdminInstanceEvent,
  listAdminCvms,
  listAdminInstanceEvents,
  restartAdminCvm,
  shutdownAdminCvm,
  startAdminCvm,
  stopAdminCvm,
};
