import type {
  AdminDrain,
  AdminDrainCvm,
  AdminMaintenanceWindow,
  AdminOsImage,
} from '../../../generated/api/types.gen';
import { iso, type Stored } from '../core/references';
import { textKeys } from '../core/textKeys';

type Times = 'created_at' | 'updated_at';

export type AdminDrainFields = Stored<AdminDrain, Times | 'stop_at' | 'finished_at'>;

export const adminDrainOut = (drain: AdminDrainFields): AdminDrain => ({
  id: drain.id,
  title: drain.title,
  teepod_id: drain.teepod_id,
  state: drain.state,
  movable: drain.movable,
  others: drain.others,
  stop_at: drain.stop_at.toISOString(),
  reason: drain.reason,
  message: drain.message,
  message_keys: textKeys(drain.message_keys),
  total_cvms: drain.total_cvms,
  waiting_cvms: drain.waiting_cvms,
  moved_cvms: drain.moved_cvms,
  stopped_cvms: drain.stopped_cvms,
  already_stopped_cvms: drain.already_stopped_cvms,
  blocked_cvms: drain.blocked_cvms,
  cancelled_cvms: drain.cancelled_cvms,
  requested_by: drain.requested_by,
  created_at: drain.created_at.toISOString(),
  updated_at: drain.updated_at.toISOString(),
  finished_at: iso(drain.finished_at),
});

export type AdminDrainCvmFields = Stored<AdminDrainCvm, Times | 'stop_at' | 'notified_at' | 'finished_at'>;

export const adminDrainCvmOut = (item: AdminDrainCvmFields): AdminDrainCvm => ({
  id: item.id,
  drain_id: item.drain_id,
  name: item.name,
  vm_uuid: item.vm_uuid,
  cvm_id: item.cvm_id,
  app_id: item.app_id,
  team_id: item.team_id,
  team_slug: item.team_slug,
  action: item.action,
  state: item.state,
  stop_at: iso(item.stop_at),
  message: item.message,
  message_keys: textKeys(item.message_keys),
  to_teepod: item.to_teepod,
  notified_at: iso(item.notified_at),
  created_at: item.created_at.toISOString(),
  updated_at: item.updated_at.toISOString(),
  finished_at: iso(item.finished_at),
});

export type AdminMaintenanceFields = Stored<AdminMaintenanceWindow, Times | 'starts_at' | 'ends_at'>;

export const adminMaintenanceOut = (window: AdminMaintenanceFields): AdminMaintenanceWindow => ({
  id: window.id,
  node_id: window.node_id,
  state: window.state,
  starts_at: window.starts_at.toISOString(),
  ends_at: window.ends_at.toISOString(),
  notice_hours: window.notice_hours,
  reason: window.reason,
  created_at: window.created_at.toISOString(),
  updated_at: window.updated_at.toISOString(),
});

export type AdminOsImageFields = Stored<AdminOsImage, Times>;

export const adminOsImageOut = (image: AdminOsImageFields): AdminOsImage => ({
  id: image.id,
  name: image.name.slice(0, 120),
  slug: image.slug.slice(0, 160),
  version: image.version.slice(0, 64),
  // What only hosts reported is no reference value, so the field is empty for the administrator's.
  os_image_hash: image.reported_hash === null ? image.os_image_hash : null,
  os_image_hash_source: image.os_image_hash_source,
  reported_hash: image.reported_hash,
  is_dev: image.is_dev,
  requires_gpu: image.requires_gpu,
  state: image.state,
  teepod_count: image.teepod_count,
  teepods: image.teepods.slice(0, 500),
  cvm_count: image.cvm_count,
  created_at: image.created_at.toISOString(),
  updated_at: image.updated_at.toISOString(),
});
