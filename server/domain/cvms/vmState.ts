/** The parts of a host's VM report that these rules need. */
interface ReportedVm {
  status: string;
  boot_progress: string;
  boot_error: string;
}

/**
 * Boot progress of a guest that is up. A host that restarted under running VMs reports `running` and has no
 * events with more detail (recorded from dstack-vmm 0.6.0); images too old to report progress say `N/A`.
 */
const UP: ReadonlySet<string> = new Set(['done', 'running', 'N/A']);

/** Whether the VM is running and its guest has finished booting. */
export const isUp = <V extends ReportedVm>(vm: V | undefined | null): vm is V =>
  vm?.status === 'running' && !vm.boot_error && UP.has(vm.boot_progress);

/** Whether nothing of the VM runs, or there is none. */
export const isDown = (vm: Pick<ReportedVm, 'status'> | undefined): boolean =>
  vm === undefined || vm.status === 'stopped' || vm.status === 'exited';
