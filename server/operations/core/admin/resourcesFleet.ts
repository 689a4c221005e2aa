import { adminDrainCvms, adminDrains } from '../../../db/hosts/adminDrains';
import { adminMaintenance } from '../../../db/hosts/adminMaintenance';
import { adminOsImages } from '../../../db/catalog/adminOsImages';
import {
  adminDrainCvmOut,
  adminDrainOut,
  adminMaintenanceOut,
  adminOsImageOut,
} from '../../../domain/hosts/adminFleetResponse';
import type { AdminResource } from './resource';

/* Fleet resources other than nodes and teepods. */

const resource = <Row, Out>(given: AdminResource<Row, Out>) => given;
const updated = (row: { updated_at: Date }) => row.updated_at;

export const drains = resource({
  name: 'drains',
  singular: 'drain',
  source: adminDrains,
  out: adminDrainOut,
  version: updated,
});

export const drainCvms = resource({
  name: 'drain-cvms',
  singular: 'CVM of a drain',
  source: adminDrainCvms,
  out: adminDrainCvmOut,
  version: updated,
});

export const maintenanceWindows = resource({
  name: 'maintenance-windows',
  singular: 'maintenance window',
  source: adminMaintenance,
  out: adminMaintenanceOut,
  version: updated,
});

export const osImages = resource({
  name: 'os-images',
  singular: 'OS image',
  source: adminOsImages,
  out: adminOsImageOut,
  version: updated,
});
