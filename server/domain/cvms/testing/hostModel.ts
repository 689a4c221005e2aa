import type { StrayFacts } from '../../hosts/strays';
import { isSuspicious, strayReason } from '../../hosts/strays';
import { decide, mayCreateVm, mayStartAgain, ownVm, type Decision, type KnownCvm } from '../reconciliation';
import { vmName } from '../vmName';

/**
 * Hosts, CVMs and the reconciler in memory, with the real rules and a separate clock. Counts what would cost a
 * customer's disk: a removed VM that a CVM had, and a second VM for a CVM that has run.
 */

export interface ModelVm {
  id: string;
  name: string;
  status: string;
  boot_progress: string;
  boot_error: string;
  instance_id: string | null;
  /** Whether the host can't load it. */
  hidden: boolean;
  /** Its process runs although the host can't load it. */
  process_runs: boolean;
}

interface ModelHost {
  vms: ModelVm[];
  /** Rounds without an answer, in which operations fail. */
  silent: number;
  /** Whether ReloadVms finds what it could not load before. */
  reload_helps: boolean;
}

/** A row of teepods; two may lead to the same host. */
interface ModelTeepod {
  id: number;
  host: ModelHost;
}

export interface ModelCvm extends KnownCvm {
  vm_uuid: string;
  name: string;
  teepod_id: number;
  updated_at: Date;
  operation: { type: 'deploy' | 'start' | 'stop' | 'delete' | 'move'; to?: number } | null;
  given_up: Set<string>;
  moved: Set<number>;
  /** Has run since it was deployed, moved or given up. */
  has_run: boolean;
  starts: number;
}

export interface Rules {
  decide: typeof decide;
  mayCreateVm: typeof mayCreateVm;
  ownVm: typeof ownVm;
  strayReason: (facts: StrayFacts) => ReturnType<typeof strayReason>;
}

export const RULES: Rules = { decide, mayCreateVm, ownVm, strayReason };

/** Later than the CVMs' last change, so that a host's answer is newer than it. */
const SECOND_MS = 1000;

export class World {
  now = new Date('2026-11-24T00:00:00Z');
  readonly teepods: ModelTeepod[];
  readonly cvms: ModelCvm[] = [];
  readonly decisions = new Map<Decision, number>();
  readonly faults: string[] = [];
  /** VMs that a CVM ever named. */
  readonly named = new Set<string>();
  /** Those that a user asked to delete or move away from. */
  readonly released = new Set<string>();
  #count = 0;

  constructor(readonly rules: Rules = RULES) {
    const hosts = [0, 1].map((): ModelHost => ({ vms: [], silent: 0, reload_helps: false }));
    this.teepods = [hosts[0]!, hosts[1]!, hosts[0]!].map((host, index) => ({ id: index + 1, host }));
  }

  hostOf = (teepod_id: number): ModelHost => this.teepods[teepod_id - 1]!.host;
  advance = (seconds: number) => void (this.now = new Date(this.now.getTime() + seconds * SECOND_MS));

  deploy(teepod_id: number): ModelCvm {
    const number = ++this.#count;
    const cvm: ModelCvm = {
      vm_uuid: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      name: `cvm${number}`,
      teepod_id,
      status: 'creating',
      desired: 'running',
      host_vm_id: null,
      instance_id: null,
      boot_progress: null,
      missing_since: null,
      purge_at: null,
      updated_at: this.now,
      operation: { type: 'deploy' },
      given_up: new Set(),
      moved: new Set(),
      has_run: false,
      starts: 0,
    };
    this.cvms.push(cvm);
    return cvm;
  }

  createVm(host: ModelHost, cvm: ModelCvm): ModelVm {
    const vm: ModelVm = {
      id: `vm${++this.#count}`,
      name: vmName(cvm),
      status: 'running',
      boot_progress: 'done',
      boot_error: '',
      instance_id: `i${this.#count}`,
      hidden: false,
      process_runs: false,
    };
    host.vms.push(vm);
    return vm;
  }

  begin(cvm: ModelCvm, operation: NonNullable<ModelCvm['operation']>, status: ModelCvm['status']): void {
    if (cvm.operation) return;
    Object.assign(cvm, { operation, status, updated_at: this.now });
  }

  giveUp(cvm: ModelCvm): void {
    if (cvm.status !== 'lost' || cvm.operation || cvm.host_vm_id === null) return;
    cvm.given_up.add(cvm.host_vm_id);
    Object.assign(cvm, { host_vm_id: null, instance_id: null, missing_since: null, has_run: false });
    cvm.desired = 'running';
    this.begin(cvm, { type: 'start' }, 'starting');
  }

  /**
   * Runs a CVM's operation as far as its host allows. @param drops CreateVm happens, but its response is lost
   */
  operate(cvm: ModelCvm, drops: boolean): void {
    const { operation } = cvm;
    if (!operation) return;
    const host = this.hostOf(cvm.teepod_id);
    if (host.silent > 0) return this.#end(cvm, 'error');
    if (operation.type === 'delete') return this.#delete(cvm, host);
    const found = this.#find(cvm, host);
    if (operation.type === 'stop') {
      if (found) found.status = 'stopped';
      return this.#end(cvm, 'stopped');
    }
    if (operation.type === 'move') return this.#move(cvm, host, found, operation.to!, drops);
    this.#boot(cvm, host, found, drops);
  }

  #boot(cvm: ModelCvm, host: ModelHost, found: ModelVm | undefined, drops: boolean): void {
    if (!found && !this.rules.mayCreateVm(cvm)) return this.#end(cvm, 'error');
    if (!found && cvm.has_run) this.faults.push(`a second VM was created for ${cvm.name}, which has run`);
    const vm = found ?? this.createVm(host, cvm);
    if (!found && drops) return this.#end(cvm, 'error');
    this.#name(cvm, vm);
    if (vm.boot_error) return this.#end(cvm, 'error');
    Object.assign(vm, { status: 'running', boot_progress: 'done' });
    Object.assign(cvm, { has_run: true, boot_progress: 'done', instance_id: vm.instance_id });
    this.#end(cvm, 'running');
  }

  #move(cvm: ModelCvm, host: ModelHost, old: ModelVm | undefined, to: number, drops: boolean): void {
    const target = this.hostOf(to);
    if (!old || target.silent > 0 || target === host) return this.#end(cvm, 'error');
    const from = cvm.teepod_id;
    old.status = 'stopped';
    this.released.add(old.id);
    cvm.moved.add(from).add(to);
    Object.assign(cvm, { teepod_id: to, host_vm_id: null, instance_id: null, has_run: false });
    this.#boot(cvm, target, this.#find(cvm, target), drops);
    if (cvm.status !== 'running') {
      // Back on its original host; the VM created on the other one may go.
      if (cvm.host_vm_id !== null) this.released.add(cvm.host_vm_id);
      this.released.delete(old.id);
      Object.assign(cvm, {
        teepod_id: from,
        host_vm_id: old.id,
        instance_id: old.instance_id,
        has_run: true,
      });
      return;
    }
    // The operation's last step removes the old VM; on a host that is gone by then, the reconciler cleans up.
    if (!old.hidden && !drops) this.#remove(host, old);
  }

  #delete(cvm: ModelCvm, host: ModelHost): void {
    for (let vm = this.#find(cvm, host); vm; vm = this.#find(cvm, host)) {
      this.#remove(host, vm);
      if (vm.id === cvm.host_vm_id) cvm.host_vm_id = null;
    }
    this.#end(cvm, 'deleted');
  }

  #find = (cvm: ModelCvm, host: ModelHost): ModelVm | undefined =>
    this.rules.ownVm(cvm, listedBy(host), cvm.given_up);

  #name(cvm: ModelCvm, vm: ModelVm): void {
    cvm.host_vm_id = vm.id;
    this.named.add(vm.id);
  }

  #end(cvm: ModelCvm, status: ModelCvm['status']): void {
    Object.assign(cvm, { operation: null, status, updated_at: this.now });
  }

  #remove(host: ModelHost, vm: ModelVm): void {
    host.vms.splice(host.vms.indexOf(vm), 1);
    if (this.named.has(vm.id) && !this.released.has(vm.id))
      this.faults.push(`${vm.id} was removed, which a CVM had`);
  }

  /** A user's deletion: the CVM's current VM may go. */
  requestDeletion(cvm: ModelCvm): void {
    if (cvm.operation || cvm.status === 'deleted') return;
    if (cvm.host_vm_id !== null) this.released.add(cvm.host_vm_id);
    cvm.desired = 'deleted';
    this.begin(cvm, { type: 'delete' }, 'deleting');
  }

  /** One round of the reconciler on every teepod. */
  round(): void {
    for (const { host } of new Set(this.teepods)) host.silent = Math.max(0, host.silent - 1);
    for (const teepod of this.teepods) if (teepod.host.silent === 0) this.#reconcile(teepod);
  }

  #reconcile({ id, host }: ModelTeepod): void {
    const asked_at = this.now;
    const own = this.cvms.filter(({ teepod_id, status }) => teepod_id === id && status !== 'deleted');
    const visible = listedBy(host);
    for (const cvm of own) {
      const vm = visible.find((one) => one.id === cvm.host_vm_id);
      const decision = this.#decided(this.rules.decide(cvm, vm, asked_at));
      if (decision === 'inquire') this.#inquire(cvm, host, asked_at);
      else this.#act(cvm, decision, vm, asked_at);
    }
    this.#removeStrays(id, host, visible, new Set(own.map(({ vm_uuid }) => vm_uuid)), asked_at);
  }

  #inquire(cvm: ModelCvm, host: ModelHost, asked_at: Date): void {
    if (host.reload_helps) for (const vm of host.vms) vm.hidden = false;
    const vm = listedBy(host).find(({ id }) => id === cvm.host_vm_id);
    const process_runs = host.vms.some((one) => one.id === cvm.host_vm_id && one.process_runs);
    this.#act(cvm, this.#decided(this.rules.decide(cvm, vm, asked_at, { process_runs })), vm, asked_at);
  }

  #decided(decision: Decision): Decision {
    this.decisions.set(decision, (this.decisions.get(decision) ?? 0) + 1);
    return decision;
  }

  #act(cvm: ModelCvm, decision: Decision, vm: ModelVm | undefined, asked_at: Date): void {
    switch (decision) {
      case 'record':
        return void Object.assign(cvm, { missing_since: null, boot_progress: vm?.boot_progress ?? null });
      case 'recover':
        return void Object.assign(cvm, { status: 'running', missing_since: null, updated_at: this.now });
      case 'note_missing':
        cvm.missing_since = asked_at;
        return;
      case 'note_listed':
        cvm.missing_since = null;
        return;
      case 'lose':
        return void Object.assign(cvm, { status: 'lost', updated_at: this.now });
      case 'find_stopped':
        return void Object.assign(cvm, { status: 'stopped', missing_since: null, updated_at: this.now });
      case 'start':
        cvm.missing_since = null;
        if (!mayStartAgain(cvm.starts++, vm)) return this.#end(cvm, 'error');
        return this.begin(cvm, { type: 'start' }, 'starting');
      case 'stop':
        return this.begin(cvm, { type: 'stop' }, 'stopping');
      case 'delete':
        return this.begin(cvm, { type: 'delete' }, 'deleting');
      default:
    }
  }

  #removeStrays(
    teepod_id: number,
    host: ModelHost,
    visible: readonly ModelVm[],
    known: ReadonlySet<string>,
    asked_at: Date,
  ): void {
    const strays = visible.filter((vm) => {
      const cvm = this.cvms.find((one) => vm.name === vmName(one));
      if (!cvm || known.has(cvm.vm_uuid)) return false;
      const is_named = this.cvms.some(
        (one) => (one.host_vm_id === vm.id && one.status !== 'deleted') || one.given_up.has(vm.id),
      );
      const has_moved = cvm.moved.has(teepod_id);
      return this.rules.strayReason({ vm, cvm, is_named, teepod_id, has_moved, asked_at }) !== null;
    });
    if (isSuspicious(strays.length, visible.length)) return;
    for (const vm of strays) this.#remove(host, vm);
  }
}

const listedBy = (host: ModelHost): ModelVm[] => host.vms.filter(({ hidden }) => !hidden);
