/** All CVMs of this teepod: their life from CreateVm to gone, and their recovery after a crash. */
import { randomBytes, randomUUID } from 'node:crypto';
import { composeHash } from './appCompose';
import { appIdOf, bootVm, type BootTools } from './boot';
import type { TeepodConfig } from './config';
import { isLive, type EngineContainer } from './engine/types';
import { Mutex } from './mutex';
import { checkConfiguration } from './validate';
import { resizedConfig, updatedConfig, type Size } from './update';
import { Vm } from './vm';
import { RpcError, type UpdateVmRequest, type VmConfiguration } from './wire';

const GRACE_SECONDS = 10;
const MAX_RESTARTS = 5;

export class Manager {
  readonly #vms = new Map<string, Vm>();
  readonly #creating = new Set<string>();
  readonly #boots: Mutex;
  #timer: NodeJS.Timeout | undefined;
  #tick: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(
    readonly config: TeepodConfig,
    readonly tools: BootTools,
  ) {
    this.#boots = new Mutex(config.parallel_boots);
  }

  get engine(): BootTools['engine'] {
    return this.tools.engine;
  }

  /** Takes up what an earlier process left: nothing is started twice, nothing meant to run stays down. */
  async recover(): Promise<void> {
    const containers = await this.engine.list();
    for (const id of await this.tools.store.ids()) await this.#adopt(id, containers);
    this.#schedule();
  }

  async #adopt(id: string, containers: EngineContainer[]): Promise<void> {
    const loaded = await this.tools.store.load(id);
    if (!loaded) return;
    const vm = new Vm(loaded.record, loaded.boot, this.tools.store.dir(id));
    this.#vms.set(id, vm);
    const mine = containers.filter((one) => one.vm_id === id);
    vm.startedAt = loaded.boot?.started_at ?? 0;
    vm.upAt = vm.startedAt;
    if (loaded.removing) {
      vm.removing = true;
      vm.alive = mine.some(isLive);
      void this.#finishRemoval(vm);
    } else if (!vm.record.started) {
      if (!mine.some(isLive)) return;
      vm.alive = true;
      this.#halt(vm, () => this.engine.kill(id));
    } else if (loaded.boot?.done && (loaded.boot.error !== '' || isUp(mine))) {
      vm.alive = true;
      vm.progress = loaded.boot.progress;
      vm.error = loaded.boot.error;
    } else {
      this.#launch(vm);
    }
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

  /** The record is on disk before this resolves, and nothing slow has happened yet. */
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
    // Counted, but not listed while the disk is slow: the watch would take it for a CVM that ended, and boot it without its record.
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
    if (vm.alive && !vm.halting) {
      if (!vm.booting) vm.progress = 'running';
      return;
    }
    this.#launch(vm);
  }

  async stop(id: string): Promise<void> {
    const vm = this.#present(id);
    await this.#save(vm, { started: false });
    this.#halt(vm, () => this.engine.kill(id));
  }

  async shutdown(id: string): Promise<void> {
    const vm = this.#present(id);
    if (!vm.alive || vm.booting || vm.halting)
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
    void this.#finishRemoval(vm);
  }

  /** Taken at the next boot. The reply is what a real host answers: an id derived from the compose file, not the VM's. */
  async update(request: UpdateVmRequest): Promise<string> {
    const vm = this.#present(request.id);
    return vm.changes.run(async () => {
      const config = updatedConfig(vm.config, vm.status, request, this.config.images);
      await this.#write(vm, { config });
      return request.compose_file === '' ? '' : composeHash(request.compose_file).slice(0, 40);
    });
  }

  async resize(id: string, size: Size): Promise<void> {
    const vm = this.#present(id);
    await vm.changes.run(() =>
      this.#write(vm, { config: resizedConfig(vm.config, vm.status, size, this.config.images) }),
    );
  }

  /** Reads the directories again, as after an operator restored some from a backup. */
  async reload(): Promise<{ loaded: number; updated: number; removed: number }> {
    const ids = new Set(await this.tools.store.ids());
    const containers = await this.engine.list();
    const result = { loaded: 0, updated: 0, removed: 0 };
    for (const id of ids) {
      if (this.#creating.has(id)) continue;
      const known = this.#vms.get(id);
      if (!known) {
        await this.#adopt(id, containers);
        result.loaded++;
        continue;
      }
      await known.changes.run(async () => {
        const found = await this.tools.store.load(id);
        if (!found || JSON.stringify(found.record) === JSON.stringify(known.record)) return;
        known.record = { ...found.record, started: known.record.started };
        result.updated++;
      });
    }
    for (const vm of this.list()) {
      if (ids.has(vm.id) || vm.removing || (await this.tools.store.load(vm.id))) continue;
      vm.removing = true;
      void this.#finishRemoval(vm);
      result.removed++;
    }
    return result;
  }

  /** Ends this process's part; containers go on running. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#tick;
    const booting = this.list().flatMap((vm) => vm.booting ?? []);
    for (const boot of booting) boot.abort.abort();
    await Promise.allSettled(booting.map((boot) => boot.done));
    for (const vm of this.list()) vm.log.close();
  }

  #present(id: string): Vm {
    const vm = this.get(id);
    if (vm.removing) throw new RpcError('VM is being removed');
    return vm;
  }

  #save(vm: Vm, change: Partial<Vm['record']>): Promise<void> {
    return vm.changes.run(() => this.#write(vm, change));
  }

  async #write(vm: Vm, change: Partial<Vm['record']>): Promise<void> {
    if (vm.removing) throw new RpcError('VM is being removed');
    const record = { ...vm.record, ...change };
    await this.tools.store.save(record);
    vm.record = record;
  }

  #launch(vm: Vm): void {
    if (vm.booting) {
      // Stopped and started again before the first boot ended: the next one begins when that is over.
      if (vm.halting) void vm.halting.then(() => this.#relaunch(vm));
      return;
    }
    if (vm.halting) {
      void vm.halting.then(() => this.#relaunch(vm));
      return;
    }
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
    const run = async (): Promise<void> => {
      vm.booting?.abort.abort();
      await vm.booting?.done;
      await this.#insist(vm, end);
      vm.alive = false;
      vm.progress = '';
      vm.shutdownProgress = '';
      vm.exitedAt = Date.now();
      vm.log.write('serial', 'dstack: powered off');
    };
    vm.halting = run().finally(() => (vm.halting = undefined));
  }

  /** An engine that is restarting must not leave a CVM half stopped. */
  async #insist(vm: Vm, task: () => Promise<void>): Promise<void> {
    for (let wait = 200; !this.#closed; wait = Math.min(wait * 2, 10_000)) {
      try {
        return await task();
      } catch (error) {
        vm.log.write(
          'stderr',
          `the container engine refused: ${error instanceof Error ? error.message : String(error)}`,
        );
        await new Promise((resolve) => setTimeout(resolve, wait).unref());
      }
    }
  }

  async #finishRemoval(vm: Vm): Promise<void> {
    vm.booting?.abort.abort();
    await vm.booting?.done;
    await vm.halting;
    await this.#insist(vm, () => this.engine.remove(vm.id, vm.project));
    if (this.#closed) return;
    await vm.changes.run(() => this.#insist(vm, () => this.tools.store.delete(vm.id)));
    vm.log.close();
    this.#vms.delete(vm.id);
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#tick = this.#watch()
        .catch(() => undefined) // the engine did not answer: nothing is known, nothing is changed
        .finally(() => this.#schedule());
    }, this.config.poll_ms);
    this.#timer.unref();
  }

  async #watch(): Promise<void> {
    const before = new Set(
      this.list()
        .filter((vm) => isSettled(vm))
        .map((vm) => vm.id),
    );
    const containers = await this.engine.list();
    for (const vm of this.list()) {
      // Only CVMs that were at rest before the list was made: otherwise it may be older than what happened since.
      if (!before.has(vm.id) || !isSettled(vm)) continue;
      const mine = containers.filter((one) => one.vm_id === vm.id);
      if (vm.error === '' && !isUp(mine)) this.#exited(vm, mine);
    }
    for (const vm of this.list()) this.#autoRestart(vm);
    for (const id of new Set(containers.map((one) => one.vm_id))) {
      // Made by a compose command that outlived a killed teepod, for a CVM removed since.
      if (id !== '' && !this.#vms.has(id) && !(await this.tools.store.load(id)))
        await this.engine.remove(id, `teehouse-${id.replaceAll('-', '').slice(0, 12)}`);
    }
  }

  #exited(vm: Vm, containers: EngineContainer[]): void {
    // Counted from the end of the boot: pulling an image for minutes is not health.
    if (Date.now() - vm.upAt > this.config.restart_interval_ms * 15) vm.restarts = 0;
    vm.alive = false;
    vm.progress = '';
    vm.exitedAt = Date.now();
    const ends =
      containers.map((one) => `${one.service}: ${one.status}`).join('; ') || 'its containers are gone';
    vm.event('vmm.exited', ends);
    vm.log.write('serial', `all containers ended (${ends})`);
  }

  /** dstack-vmm 0.6: every 20 s, at most 5 times, waiting 5 s to 300 s in between; scaled by the configured interval. */
  #autoRestart(vm: Vm): void {
    if (vm.removing || !vm.record.started || vm.alive || vm.booting || vm.halting) return;
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

function isSettled(vm: Vm): boolean {
  return vm.record.started && vm.alive && !vm.booting && !vm.halting && !vm.removing;
}

/**
 * At least one container runs, or all of them ended well: a guest whose one-shot job is done is still up on a real host. Containers
 * that crashed without a restart policy, were killed, or vanished have taken their CVM with them.
 */
function isUp(containers: EngineContainer[]): boolean {
  if (containers.some(isLive)) return true;
  return (
    containers.length > 0 &&
    containers.every((one) => one.state === 'exited' && one.status.startsWith('Exited (0)'))
  );
}
