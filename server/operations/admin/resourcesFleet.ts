import { adminDrainCvms, adminDrains } from '../../db/adminDrains';
import { adminMaintenance } from '../../db/adminMaintenance';
import { adminOsImages } from '../../db/adminOsImages';
import {
  adminDrainCvmOut,
  adminDrainOut,
  adminMaintenanceOut,
  adminOsImageOut,
} from '../../domain/wire/adminFleet';
import type { AdminResource } from './resource';

/* What the fleet has beside nodes and teepods. */

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
