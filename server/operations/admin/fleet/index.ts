import { allowTeepodTeam } from './allowTeepodTeam';
import { cancelAdminDrain } from './cancelAdminDrain';
import { checkAdminTeepod } from './checkAdminTeepod';
import { checkNewTeepod } from './checkNewTeepod';
import { cordonAdminTeepod } from './cordonAdminTeepod';
import { createAdminMaintenanceWindow } from './createAdminMaintenanceWindow';
import { decideAdminDrainCvm } from './decideAdminDrainCvm';
import { deleteAdminMaintenanceWindow } from './deleteAdminMaintenanceWindow';
import { disallowTeepodTeam } from './disallowTeepodTeam';
import { drainAdminTeepod } from './drainAdminTeepod';
import { getAdminDrain } from './getAdminDrain';
import { getAdminDrainCvm } from './getAdminDrainCvm';
import { getAdminFleet } from './getAdminFleet';
import { getAdminMaintenanceWindow } from './getAdminMaintenanceWindow';
import { getAdminOsImage } from './getAdminOsImage';
import { getTeepodKms } from './getTeepodKms';
import { listAdminDrainCvms } from './listAdminDrainCvms';
import { listAdminDrains } from './listAdminDrains';
import { listAdminMaintenanceWindows } from './listAdminMaintenanceWindows';
import { listAdminOsImages } from './listAdminOsImages';
import { listHostedCvms } from './listHostedCvms';
import { listManagedCvms } from './listManagedCvms';
import { listTeepodOsImages } from './listTeepodOsImages';
import { listTeepodTeams } from './listTeepodTeams';
import { repairAdminTeepod } from './repairAdminTeepod';
import { uncordonAdminTeepod } from './uncordonAdminTeepod';
import { updateAdminMaintenanceWindow } from './updateAdminMaintenanceWindow';
import { updateAdminOsImage } from './updateAdminOsImage';

/** Hosts, their images, and what takes them out of service. */
export const fleetHandlers = {
  allowTeepodTeam,
  cancelAdminDrain,
  checkAdminTeepod,
  checkNewTeepod,
  cordonAdminTeepod,
  createAdminMaintenanceWindow,
  decideAdminDrainCvm,
  deleteAdminMaintenanceWindow,
  disallowTeepodTeam,
  drainAdminTeepod,
  getAdminDrain,
  getAdminDrainCvm,
  getAdminFleet,
  getAdminMaintenanceWindow,
  getAdminOsImage,
  getTeepodKms,
  listAdminDrainCvms,
  listAdminDrains,
  listAdminMaintenanceWindows,
  listAdminOsImages,
  listHostedCvms,
  listManagedCvms,
  listTeepodOsImages,
  listTeepodTeams,
  repairAdminTeepod,
  uncordonAdminTeepod,
  updateAdminMaintenanceWindow,
  updateAdminOsImage,
};
