import type { AdminDuplicates } from '../../../generated/api/types.gen';
import { isSettled } from '../../../console/lib/cvms/allowedActions';
import { uuidOfVmName } from '../cvms/vmName';

/** A CVM whose UUID is in the name of a VM. */
export interface NamedCvm {
  vm_uuid: string;
  name: string;
  team_name: string;
  team_slug: string;
  status: string;
  /** The VM it uses, on the teepod it is on. */
  host_vm_id: string | null;
  teepod: string;
  given_up: { host_vm_id: string; given_up_at: string }[];
}

interface ListedVm {
  id: string;
  name: string;
  status: string;
  app_id: string;
  instance_id: string | null;
  uptime: string;
  exited_at: string | null;
  events: { timestamp: number }[];
  configuration: { vcpu: number; memory: number; disk_size: number } | null;
}

const MAX_CVMS = 200;
const MAX_VMS = 100;

/**
 * Returns the CVMs for which this host lists a VM that they don't use, with all their VMs on it. An
 * administrator decides which one holds the data. Leftovers of a deletion or a move aren't listed, because they
 * are removed automatically.
 */
export function duplicatesOf(
  teepod: string,
  vms: readonly ListedVm[],
  cvms: readonly NamedCvm[],
): AdminDuplicates[] {
  const byUuid = new Map<string, ListedVm[]>();
  for (const vm of vms) {
    const uuid = uuidOfVmName(vm.name) ?? '';
    byUuid.set(uuid, [...(byUuid.get(uuid) ?? []), vm]);
  }
  return cvms
    .flatMap((cvm) => {
      const own = (byUuid.get(cvm.vm_uuid) ?? []).filter(({ status }) => status !== 'removing');
      return own.some((vm) => isDuplicate(vm, cvm, teepod)) ? [group(teepod, own, cvm)] : [];
    })
    .toSorted((a, b) => a.cvm.name.localeCompare(b.cvm.name))
    .slice(0, MAX_CVMS);
}

/** Whether a CVM doesn't use this VM with its name, on this teepod. */
export function isDuplicate({ id }: Pick<ListedVm, 'id'>, cvm: NamedCvm, teepod: string): boolean {
  if (cvm.given_up.some(({ host_vm_id }) => host_vm_id === id)) return true;
  // During an operation it may be the one being created, or moved away from.
  if (cvm.host_vm_id === null || cvm.host_vm_id === id || !isSettled(cvm.status)) return false;
  return cvm.teepod === teepod;
}

function group(teepod: string, vms: readonly ListedVm[], cvm: NamedCvm): AdminDuplicates {
  const { vm_uuid, name, team_name, team_slug, status, host_vm_id } = cvm;
  const givenUp = new Map(cvm.given_up.map((one) => [one.host_vm_id, one.given_up_at]));
  return {
    cvm: { vm_uuid, name, team_name, team_slug, status },
    used_vm_id: host_vm_id?.slice(0, 200) ?? null,
    used_teepod: cvm.teepod,
    vms: vms.slice(0, MAX_VMS).map((vm) => {
      const given_up_at = givenUp.get(vm.id);
      const first = vm.events.length === 0 ? null : Math.min(...vm.events.map(({ timestamp }) => timestamp));
      return {
        host_vm_id: vm.id.slice(0, 200),
        teepod,
        status: vm.status,
        is_used: vm.id === host_vm_id,
        given_up_at: given_up_at === undefined ? null : new Date(given_up_at).toISOString(),
        app_id: vm.app_id.slice(0, 64),
        instance_id: vm.instance_id?.slice(0, 64) ?? null,
        vcpu: vm.configuration?.vcpu ?? null,
        memory_mb: vm.configuration?.memory ?? null,
        disk_gb: vm.configuration?.disk_size ?? null,
        uptime: vm.uptime.slice(0, 64),
        exited_at: vm.exited_at?.slice(0, 64) ?? null,
        first_event_at: timeOf(first),
      };
    }),
  };
}

/** A host's clock may report anything. */
export function timeOf(ms: number | null): string | null {
  if (ms === null || !(ms > 0 && ms < 8.64e15)) return null;
  return new Date(ms).toISOString();
}
