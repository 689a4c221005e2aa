import type { AdminGpu, AdminGpuEvent } from '../../../generated/api/types.gen';
import { iso, type Stored } from '../core/references';

export type AdminGpuFields = Stored<AdminGpu, 'held_until' | 'last_seen_at' | 'created_at' | 'updated_at'>;

export const adminGpuOut = (gpu: AdminGpuFields): AdminGpu => ({
  id: gpu.id,
  name: gpu.name,
  teepod_id: gpu.teepod_id,
  slot: gpu.slot,
  product_id: gpu.product_id,
  description: gpu.description,
  state: gpu.state,
  team_id: gpu.team_id,
  reserved: gpu.reserved,
  attached: gpu.attached,
  cvm_id: gpu.cvm_id,
  held_until: iso(gpu.held_until),
  fault: gpu.fault,
  reported: gpu.reported,
  used_elsewhere: gpu.used_elsewhere,
  last_seen_at: iso(gpu.last_seen_at),
  notes: gpu.notes,
  created_at: gpu.created_at.toISOString(),
  updated_at: gpu.updated_at.toISOString(),
});

export const adminGpuEventOut = (event: Stored<AdminGpuEvent, 'at'>): AdminGpuEvent => ({
  id: event.id,
  at: event.at.toISOString(),
  gpu_id: event.gpu_id,
  kind: event.kind,
  team_id: event.team_id,
  cvm_id: event.cvm_id,
  note: event.note,
  user_id: event.user_id,
});
