/** All CVMs of this teepod: their lifecycle from CreateVm to removal, and recovery after a crash. */
import { randomBytes, randomUUID } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { composeHash } from './appCompose';
import { appIdOf, bootVm, type BootTools } from './boot';
import type { TeepodConfig } from './config';
import { isLive, type EngineContainer } from './engine/types';
import { adoptAll, EngineRestarts, firstList, isUp, readVm, retryAlone, type RecoveryHost } from './recovery';
import { say } from './log';
import { checkConfiguration, needsTpm } from './validate';
import { resizedConfig, updatedConfig, type Size } from './update';
import { isDown, isSettled, Vm } from './vm';
import { RpcError, type UpdateVmRequest, type VmConfiguration } from './wire';

const GRACE_SECONDS = 10;
const MAX_RESTARTS = 5;

export class Manager {
  readonly #vms = new Map<string, Vm>();
  readonly #creating = new Set<string>();
  readonly #boots: LimitFunction;
  #timer: NodeJS.Timeout | undefined;
  #tick: Promise<void> = Promise.resolve();
  #closed = false;
  readonly #restarts = new EngineRestarts();

  readonly #recovery: RecoveryHost = {
    list: () => this.list(),
    isClosed: () => this.#closed,
    launch: (vm) => this.#launch(vm),
    halt: (vm) => this.#halt(vm, () => this.engine.kill(vm.id)),
    remove: (vm) => void this.#finishRemoval(vm),
    tools: () => this.tools,
  };

  constructor(
    readonly config: TeepodConfig,
    readonly tools: BootTools,
  ) {
    this.#boots = pLimit(config.parallel_boots);
  }

  get engine(): BootTools['engine'] {
    return this.tools.engine;
  }

  /** Loads what an earlier process left, from its records only: the RPC starts listening right after it. */
  async load(): Promise<void> {
    for (const id of await this.tools.store.ids()) await this.#read(id);
  }

  /** Reconciles with the engine: nothing starts twice, and nothing meant to run stays down. */
  async recover(): Promise<void> {
    const containers = await firstList(this.#recovery);
    if (!containers) return;
    const cutOff = await adoptAll(this.#recovery, containers);
    this.#schedule();
    await retryAlone(this.#recovery, cutOff);
  }

  async #read(id: string): Promise<void> {
    const vm = await readVm(this.tools.store, id);
    if (vm) this.#vms.set(id, vm);
  }

  list(): Vm[] {
    return [...this.#vms.values()].sort(
      (a, b) => a.record.created_at - b.record.created_at || (a.id < b.id ? -1 : 1),
    );
  }

  find(id: string): Vm | undefined {
    return this.#vms.get(id);
  }

  byInstance(id: string): Vm | undefined {
    return this.list().find((vm) => vm.record.instance_id === id && id !== '');
  }

  /** @throws {RpcError} */
  get(id: string): Vm {
    const vm = this.#vms.get(id);
    if (!vm) throw new RpcError('VM not found');
    return vm;
  }

  /** Resolves once the record is on disk, before anything slow happens. */
  async create(config: VmConfiguration): Promise<string> {
    checkConfiguration(config, this.config.images);
    if (this.#vms.size + this.#creating.size >= this.config.max_cvms)
      throw new RpcError(`CID pool exhausted: the host runs at most ${this.config.max_cvms} VMs`);
    const id = randomUUID();
    const record = {
      id,
      created_at: Date.now(),
      app_id: appIdOf(config),
      started: !config.stopped,
      instance_id: '',
      seed: randomBytes(32).toString('hex'),
      config,
    };
    // Counted but not listed until it is written: the watch would otherwise take it for a CVM that ended, and
    // boot it without a record.
    this.#creating.add(id);
    try {
      await this.tools.store.create(record);
    } finally {
      this.#creating.delete(id);
    }
    const vm = new Vm(record, undefined, this.tools.store.dir(id));
    this.#vms.set(id, vm);
    if (record.started) this.#launch(vm);
    return id;
  }

  async start(id: string): Promise<void> {
    const vm = this.#present(id);
    await this.#save(vm, { started: true });
    vm.restarts = 0;
    vm.exhausted = false;
    if (needsTpm(vm)) {
      vm.progress = 'booting';
      throw new RpcError('Failed to start VM: tpm key provider requested but swtpm is not installed');
    }
    if (vm.alive && !vm.halting) {
      if (!vm.booting && !vm.recovering) vm.progress = 'running';
      return;
    }
    this.#launch(vm);
  }

  async stop(id: string): Promise<void> {
    const vm = this.#present(id);
    await this.#save(vm, { started: false });
    void this.#hurry(vm);
    this.#halt(vm, () => this.engine.kill(id));
  }

  async shutdown(id: string): Promise<void> {
    const vm = this.#present(id);
    if (!vm.alive || vm.recovering || vm.booting || vm.halting)
      throw new RpcError('Failed to shutdown: the guest agent is not up');
    await this.#save(vm, { started: false });
    vm.shutdownProgress = 'powering off';
    vm.event('shutdown.progress', vm.shutdownProgress);
    vm.log.write('serial', 'dstack: powering off');
    this.#halt(vm, () => this.engine.stop(id, GRACE_SECONDS));
  }

  async remove(id: string): Promise<void> {
    const vm = this.get(id);
    if (vm.removing) return;
    await this.tools.store.markRemoving(id);
    vm.removing = true;
    vm.recovering = false;
    void this.#finishRemoval(vm);
  }

  /**
   * Applies at the next boot. Replies like a real host, with an ID derived from the Compose file rather than
   * the VM's.
   */
  async update(request: UpdateVmRequest): Promise<string> {
    const vm = this.#present(request.id);
    return vm.changes(async () => {
      const config = updatedConfig(vm.config, vm.status, request, this.config.images);
      await this.#write(vm, { config });
      return request.compose_file === '' ? '' : composeHash(request.compose_file).slice(0, 40);
    });
  }

  async resize(id: string, size: Size): Promise<void> {
    const vm = this.#present(id);
    await vm.changes(() =>
      this.#write(vm, { config: resizedConfig(vm.config, vm.status, size, this.config.images) }),
    );
  }

  /** Rereads the directories, for example after an operator restored some from a backup. */
  async reload(): Promise<{ loaded: number; updated: number; removed: number }> {
    const ids = new Set(await this.tools.store.ids());
    const containers = await this.engine.list();
    const result = { loaded: 0, updated: 0, removed: 0 };
    for (const id of ids) {
      if (this.#creating.has(id)) continue;
      const known = this.#vms.get(id);
      if (!known) {
        await this.#read(id);
        result.loaded++;
        continue;
      }
      await known.changes(async () => {
        const found = await this.tools.store.load(id);
        if (!found || JSON.stringify(found.record) === JSON.stringify(known.record)) return;
        known.record = { ...found.record, started: known.record.started };
        result.updated++;
      });
    }
    if (result.loaded > 0) {
      const cutOff = await adoptAll(this.#recovery, containers);
      void retryAlone(this.#recovery, cutOff);
    }
    for (const vm of this.list()) {
      if (ids.has(vm.id) || vm.removing || (await this.tools.store.load(vm.id))) continue;
      vm.removing = true;
      void this.#finishRemoval(vm);
      result.removed++;
    }
    return result;
  }

  /** Stops managing CVMs; their containers keep running. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#tick;
    const booting = this.list().flatMap((vm) => vm.booting ?? []);
    for (const boot of booting) boot.abort.abort();
    await Promise.allSettled(booting.map((boot) => boot.done));
    await this.tools.planner.close();
    for (const vm of this.list()) vm.log.close();
  }

  #present(id: string): Vm {
    const vm = this.get(id);
    if (vm.removing) throw new RpcError('VM is being removed');
    return vm;
  }

  #save(vm: Vm, change: Partial<Vm['record']>): Promise<void> {
    return vm.changes(() => this.#write(vm, change));
  }

  async #write(vm: Vm, change: Partial<Vm['record']>): Promise<void> {
    if (vm.removing) throw new RpcError('VM is being removed');
    const record = { ...vm.record, ...change };
    await this.tools.store.save(record);
    vm.record = record;
  }

  #launch(vm: Vm): void {
    // Stopped and restarted, perhaps during a boot: the next boot starts when this one is over.
    if (vm.halting) void vm.halting.then(() => this.#relaunch(vm));
    if (vm.booting || vm.halting) return;
    vm.recovering = false;
    vm.alive = true;
    vm.progress = 'booting';
    vm.error = '';
    vm.shutdownProgress = '';
    vm.exitedAt = 0;
    vm.startedAt = Date.now();
    const abort = new AbortController();
    const done = bootVm(vm, this.tools, this.#boots, abort.signal)
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        vm.error = error instanceof Error ? error.message : String(error);
      })
      .finally(() => {
        vm.booting = undefined;
        vm.upAt = Date.now();
      });
    vm.booting = { abort, done };
  }

  #relaunch(vm: Vm): void {
    if (vm.record.started && !vm.alive && !vm.removing && !this.#closed) this.#launch(vm);
  }

  #halt(vm: Vm, end: () => Promise<void>): void {
    if (!vm.alive || vm.halting) return;
    vm.recovering = false;
    const run = async (): Promise<void> => {
      vm.booting?.abort.abort();
      await vm.booting?.done;
      await this.#insist(vm, end);
      vm.alive = false;
      vm.exitedAt = Date.now();
      vm.log.write('serial', 'dstack: powered off');
    };
    vm.halting = run().finally(() => (vm.halting = undefined));
  }

  /** Ends a shutdown that still waits for its containers. */
  async #hurry(vm: Vm): Promise<void> {
    if (vm.halting && !vm.booting) await this.#insist(vm, async () => vm.halting && this.engine.kill(vm.id));
  }

  /** Retries, so that an engine restart doesn't leave a CVM half stopped. */
  async #insist(vm: Vm, task: () => Promise<void>): Promise<void> {
    for (let wait = 200; !this.#closed; wait = Math.min(wait * 2, 10_000)) {
      try {
        return await task();
      } catch (error) {
        vm.log.write(
          'stderr',
          `the container engine returned an error: ${error instanceof Error ? error.message : String(error)}`,
        );
        await new Promise((resolve) => setTimeout(resolve, wait).unref());
      }
    }
  }

  async #finishRemoval(vm: Vm): Promise<void> {
    vm.booting?.abort.abort();
    await vm.booting?.done;
    await Promise.all([this.#hurry(vm), vm.halting]);
    await this.#insist(vm, () => this.engine.remove(vm.id, vm.project));
    if (this.#closed) return;
    await vm.changes(() => this.#insist(vm, () => this.tools.store.delete(vm.id)));
    vm.log.close();
    this.#vms.delete(vm.id);
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#tick = this.#watch()
        .catch(() => undefined) // the engine did not respond: change nothing
        .finally(() => this.#schedule());
    }, this.config.poll_ms);
    this.#timer.unref();
  }

  async #watch(): Promise<void> {
    const [settled, down] = [this.list().filter(isSettled), this.list().filter(isDown)];
    const restarted = await this.#restarts.noticed(this.engine);
    const containers = await this.engine.list();
    const of = (vm: Vm): EngineContainer[] => containers.filter((one) => one.vm_id === vm.id);
    // Only CVMs whose state is the same as before the list was fetched; for others it may be outdated.
    for (const vm of settled.filter((one) => isSettled(one) && one.error === ''))
      if (restarted && !of(vm).every(isLive)) this.#launch(vm);
      else if (!isUp(of(vm))) this.#exited(vm, of(vm));
    // The engine completes what a killed Compose command requested, even after the CVM was stopped.
    for (const vm of down.filter(isDown)) {
      vm.alive = of(vm).some(isLive);
      this.#recovery.halt(vm);
    }
    for (const vm of this.list()) {
      if (!isSettled(vm) || vm.error !== '') continue;
      // One CVM that can't be stopped must not keep the others from being checked or restarted.
      await this.#checkDisk(vm).catch((error: unknown) =>
        say('warn', "couldn't stop a CVM that exceeds its disk", { vm: vm.id, reason: String(error) }),
      );
    }
    for (const vm of this.list()) this.#autoRestart(vm);
    for (const id of new Set(containers.map((one) => one.vm_id))) {
      // Created by a Compose command that outlived a killed teepod, for a CVM since removed.
      if (id !== '' && !this.#vms.has(id) && !(await this.tools.store.load(id)))
        await this.engine.remove(id, `teehouse-${id.replaceAll('-', '').slice(0, 12)}`);
    }
  }

  #exited(vm: Vm, containers: EngineContainer[]): void {
    // Counted from the end of the boot: minutes of pulling an image don't count as uptime.
    if (Date.now() - vm.upAt > this.config.restart_interval_ms * 15) vm.restarts = 0;
    vm.alive = false;
    vm.exitedAt = Date.now();
    const ends =
      containers.map((one) => `${one.service}: ${one.status}`).join('; ') || 'no containers remain';
    vm.event('vmm.exited', ends);
    vm.log.write('serial', `all containers exited (${ends})`);
  }

  /** Stops a CVM that exceeds its disk: the engine doesn't limit volumes, and only some layers. */
  async #checkDisk(vm: Vm): Promise<void> {
    const used = this.engine.diskUse(vm.id) ?? 0;
    if (used <= vm.config.disk_size * 2 ** 30 || !vm.boot) return;
    const error = `The CVM was stopped because it uses ${(used / 2 ** 30).toFixed(1)} GB of its ${vm.config.disk_size} GB disk. Resize the disk, then start the CVM.`;
    // Saved first, so that a restart of this program doesn't boot it again.
    vm.boot = { ...vm.boot, error };
    await this.tools.store.saveBoot(vm.id, vm.boot);
    await this.engine.kill(vm.id);
    if (!isSettled(vm)) return;
    vm.error = error;
    vm.event('disk.full', error);
    vm.log.write('serial', error);
  }

  /** Like dstack-vmm 0.6: every 20 s, up to 5 times, 5 to 300 s apart, scaled by the configured interval. */
  #autoRestart(vm: Vm): void {
    if (vm.removing || vm.recovering || !vm.record.started || vm.alive || vm.booting || vm.halting) return;
    if (needsTpm(vm)) return;
    if (vm.restarts >= MAX_RESTARTS) {
      if (!vm.exhausted) vm.event('vmm.auto_restart.exhausted', `gave up after ${MAX_RESTARTS} restarts`);
      vm.exhausted = true;
      return;
    }
    const interval = this.config.restart_interval_ms;
    const wait = Math.min((interval / 4) * 2 ** vm.restarts, interval * 15);
    if (Date.now() - vm.exitedAt < wait) return;
    vm.restarts++;
    vm.event('vmm.auto_restart', `restart ${vm.restarts} of ${MAX_RESTARTS}`);
    this.#launch(vm);
  }
}
