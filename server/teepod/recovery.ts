/** Decides what happens to CVMs left by an earlier process of this teepod. */
import { uptime } from 'node:os';
import { endsWithin } from '../../console/lib/endsWithin';
import { isLive, type Engine, type EngineContainer } from './engine/types';
import type { BootTools } from './boot';
import { say } from './log';
import type { BootRecord, Store } from './store';
import { Vm } from './vm';

/**
 * After this many consecutive boots cut off by the end of the process, a CVM is not booted again until
 * started. More than two, because a machine switched off twice is not the CVMs' fault.
 */
const MAX_CUT_OFF_BOOTS = 3;

/** How long a retried boot holds up others: pulling an image may take minutes. */
const ISOLATION_MS = 30_000;

/** The part of the manager that recovery needs. */
export interface RecoveryHost {
  list(): Vm[];
  isClosed(): boolean;
  launch(vm: Vm): void;
  halt(vm: Vm): void;
  remove(vm: Vm): void;
  tools(): BootTools;
}

type Decision = 'remove' | 'stop' | 'adopt' | 'boot' | 'retry' | 'give up';

/** @param mine the CVM's containers, including stopped ones */
function decide(vm: Vm, mine: EngineContainer[]): Decision {
  const { boot, record } = vm;
  if (vm.removing) return 'remove';
  if (!record.started) return 'stop';
  if (boot?.done && (boot.error !== '' || (isUp(mine) && !machineRestartedSince(boot)))) return 'adopt';
  // Records of earlier versions have no count.
  const cutOff = boot && !boot.done ? (boot.attempts ?? 1) : 0;
  if (cutOff === 0) return 'boot';
  return cutOff < MAX_CUT_OFF_BOOTS ? 'retry' : 'give up';
}

/**
 * After a restart of the machine, the engine starts only containers with a restart policy, and not in the limits
 * of their CVM. Booting again starts the others and leaves those that run.
 */
const machineRestartedSince = (boot: BootRecord): boolean => boot.started_at < Date.now() - uptime() * 1000;

/**
 * Ends the boot with an error, as if it had failed: visible to the control plane, and cleared by the next
 * start.
 */
async function giveUp(vm: Vm, store: Store): Promise<void> {
  if (!vm.boot) return;
  const error = `The host process exited ${vm.boot.attempts} times in a row while this CVM was booting, so it won't boot again automatically. Check the Compose file, then start the CVM.`;
  vm.boot = { ...vm.boot, done: true, progress: vm.boot.progress || 'booting', error };
  // If saving fails, the next start of this program decides the same.
  await store
    .saveBoot(vm.id, vm.boot)
    .catch((reason: unknown) => say('error', "couldn't save a boot record", { reason: String(reason) }));
  vm.progress = vm.boot.progress;
  vm.error = error;
  vm.event('boot.error', error);
  vm.log.write('serial', `boot error: ${error}`);
  vm.log.write('stderr', error);
}

/** Loads a CVM from its record. Skips an unreadable record, so that it doesn't block other CVMs. */
export async function readVm(store: Store, id: string): Promise<Vm | undefined> {
  try {
    const loaded = await store.load(id);
    if (!loaded) return undefined;
    const vm = new Vm(loaded.record, loaded.boot, store.dir(id));
    vm.recovering = true;
    vm.removing = loaded.removing;
    // Containers may be running until the engine is queried: a CVM that should be stopped is "stopping".
    vm.alive = true;
    vm.progress = 'recovering';
    vm.startedAt = loaded.boot?.started_at ?? 0;
    vm.upAt = vm.startedAt;
    return vm;
  } catch (error) {
    say('error', 'skipped a CVM whose record is unreadable', { vm: id, reason: String(error) });
    return undefined;
  }
}

/** Returns the engine's containers once it responds; undefined if this teepod closes first. */
export async function firstList(host: RecoveryHost): Promise<EngineContainer[] | undefined> {
  for (let wait = 200; !host.isClosed(); wait = Math.min(wait * 2, 10_000)) {
    try {
      return await host.tools().engine.list();
    } catch (error) {
      say('warn', 'the container engine is not responding', { reason: String(error) });
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
    }
  }
  return undefined;
}

/**
 * Notices restarts of the engine. Like after one of the machine, it starts only containers with a restart policy, and
 * one that ended well when it was stopped looks like a finished job.
 */
export class EngineRestarts {
  #run: string | undefined;

  /** To be called before the containers are listed. */
  async noticed(engine: Engine): Promise<boolean> {
    const before = this.#run;
    this.#run = await engine.run();
    return before !== undefined && before !== this.#run;
  }
}

/** @returns CVMs whose boot was cut off when the last process ended */
export async function adoptAll(host: RecoveryHost, containers: EngineContainer[]): Promise<Vm[]> {
  const cutOff: Vm[] = [];
  for (const vm of host.list()) {
    // A request has started or stopped it in the meantime; that takes precedence.
    if (!vm.recovering) continue;
    const mine = containers.filter((one) => one.vm_id === vm.id);
    const decision = decide(vm, mine);
    if (decision === 'retry') {
      vm.progress = 'booting';
      cutOff.push(vm);
      continue;
    }
    vm.recovering = false;
    if (decision === 'remove') host.remove(vm);
    else if (decision === 'boot') host.launch(vm);
    else if (decision === 'give up') await giveUp(vm, host.tools().store);
    else if (decision === 'stop') {
      vm.progress = '';
      vm.alive = mine.some(isLive);
      host.halt(vm);
    } else {
      vm.progress = vm.boot?.progress ?? '';
      vm.error = vm.boot?.error ?? '';
    }
  }
  return cutOff;
}

/** One at a time, after the others: if one ends the process again, it is known which. */
export async function retryAlone(host: RecoveryHost, cutOff: Vm[]): Promise<void> {
  await endsWithin(Promise.allSettled(host.list().map((vm) => vm.booting?.done)), ISOLATION_MS);
  for (const vm of cutOff) {
    if (host.isClosed()) return;
    if (!vm.recovering || vm.removing || vm.halting || !vm.record.started) continue;
    host.launch(vm);
    vm.log.write('serial', 'the last boot was interrupted when the host process exited: booting again');
    await endsWithin(Promise.allSettled([vm.booting?.done]), ISOLATION_MS);
  }
}

/**
 * Returns whether a CVM is up: at least one container runs, or all exited successfully, as a real guest stays
 * up after a one-shot job. If containers crashed without a restart policy, were killed or vanished, the CVM
 * is down.
 */
export function isUp(containers: EngineContainer[]): boolean {
  if (containers.some(isLive)) return true;
  return (
    containers.length > 0 &&
    containers.every((one) => one.state === 'exited' && one.status.startsWith('Exited (0)'))
  );
}
