import { withoutHostPaths } from '../../domain/hosts/hostText';
import { VmmError, type VmInfo, type VmmDriver } from '../../drivers/vmm';

/** Reading the directories of many VMs takes a while. */
const RELOAD_MS = 60_000;
const LIST_MS = 15_000;

/** What a host answers when it is asked about VMs that it doesn't list. */
export interface HostInquiry {
  vms: VmInfo[];
  /** VMs whose process its supervisor runs. */
  running: ReadonlySet<string>;
  /** Why it couldn't load its VMs again. */
  refusal: string | null;
}

/**
 * Asks a host to load its VMs again, and what its supervisor runs. Versions without these requests are only asked for
 * the list again. @throws VmmError if it doesn't answer, and then nothing may be concluded
 */
export async function inquire(driver: VmmDriver): Promise<HostInquiry> {
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
