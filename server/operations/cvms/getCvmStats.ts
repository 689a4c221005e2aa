import type { SystemInfo } from '../../../generated/api/types.gen';
import { findCvm } from '../../db/cvms/cvmLookup';
import { short } from '../../domain/core/references';
import type { GuestSysInfo } from '../../drivers/vmm';
import { teamOf } from '../core/caller';
import type { Handler } from '../types';
import { askGuest } from './askGuest';

export const getCvmStats: Handler<'getCvmStats'> = async ({ path, ctx }) => {
  const row = await findCvm(ctx.db, teamOf(ctx).id, path.cvm_id);
  const { value, error } = await askGuest(ctx, row, (guest, id, options) => guest.sysInfo(id, options));
  const { cvm, operation } = row;
  return {
    status: 200,
    body: {
      is_online: value !== null,
      is_public: cvm.public_sysinfo,
      error,
      sysinfo: value && toSystemInfo(value),
      status: cvm.status,
      in_progress: operation !== null,
      boot_progress: short(cvm.boot_progress, 200),
      boot_error: short(cvm.boot_error, 2000),
    },
  };
};

/** Returns the guest's values, limited to the schema's bounds. */
function toSystemInfo(info: GuestSysInfo): SystemInfo {
  const size = (value: number) => Math.max(0, value);
  return {
    os_name: short(info.os_name, 100),
    os_version: short(info.os_version, 100),
    kernel_version: short(info.kernel_version, 200),
    cpu_model: short(info.cpu_model, 200),
    num_cpus: Math.min(Math.max(0, Math.trunc(info.num_cpus)), 4096),
    total_memory: size(info.total_memory),
    available_memory: size(info.available_memory),
    used_memory: size(info.used_memory),
    free_memory: size(info.free_memory),
    total_swap: size(info.total_swap),
    used_swap: size(info.used_swap),
    free_swap: size(info.free_swap),
    uptime: size(info.uptime),
    loadavg_one: size(info.loadavg_one),
    loadavg_five: size(info.loadavg_five),
    loadavg_fifteen: size(info.loadavg_fifteen),
    disks: info.disks.slice(0, 100).map((disk) => ({
      name: short(disk.name, 200),
      mount_point: short(disk.mount_point, 1000),
      total_size: size(disk.total_size),
      free_size: size(disk.free_size),
    })),
  };
}
