import { withoutHostPaths } from '../../domain/hosts/hostText';
import { VmmError, type VmInfo, type VmmDriver } from '../../drivers/vmm';

/** Reading the directories of many VMs takes a while. */
const RELOAD_MS = 60_000;
const LIST_MS = 15_000;

/** A host's answer to questions about VMs that it doesn't list. */
export interface HostReload {
  vms: VmInfo[];
  /** VMs whose process is running under the host's supervisor. */
  running: ReadonlySet<string>;
  /** Why the host couldn't reload its VMs. */
  refusal: string | null;
}

/**
 * Asks a host to reload its VMs, and which processes its supervisor runs. Versions without these requests are
 * only asked for the list again. @throws VmmError if it doesn't answer, in which case nothing may be concluded
 */
export async function reloadHostVms(driver: VmmDriver): Promise<HostReload> {
  let refusal: string | null = null;
  await driver.reloadVms({ signal: AbortSignal.timeout(RELOAD_MS) }).catch((error: unknown) => {
    if (isUnsupported(error)) return;
    if (!(error instanceof VmmError) || error.kind !== 'rejected') throw error;
    refusal = withoutHostPaths(error.host_text ?? error.message);
  });
  const signal = AbortSignal.timeout(LIST_MS);
  const { vms } = await driver.status({ brief: true }, { signal });
  const processes = await driver.listProcesses({ signal }).catch((error: unknown) => {
    if (isUnsupported(error)) return [];
    throw error;
  });
  const running = new Set(processes.filter(({ status }) => status === 'running').map(({ id }) => id));
  return { vms, running, refusal };
}

const isUnsupported = (error: unknown): boolean => error instanceof VmmError && error.kind === 'unsupported';
