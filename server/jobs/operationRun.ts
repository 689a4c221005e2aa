import { setTimeout as wait } from 'node:timers/promises';
import { problemCodes, type ProblemName } from '../../generated/api/permissions.gen';
import type { Logger } from 'pino';
import { withTransaction, type Db } from '../db/client';
import { addEvent, renewLease, saveSteps } from '../db/operations';
import type { CvmRow, OperationRow, OperationStep, TeepodRow } from '../db/schema';
import { VmmError, type VmmDriver } from '../drivers/vmm';

/** The operation ends as failed, with this reason shown to the person. */
export class OperationFailed extends Error {
  constructor(
    readonly code: ProblemName,
    message: string,
    readonly advice = '',
  ) {
    super(message);
  }
}

/** Another worker took over, or the process is stopping: touch nothing more, the operation goes on elsewhere. */
export class LeaseLost extends Error {}

export interface RunOptions {
  db: Db;
  /** @throws when the host's address or credential makes no sense, which then is a failure of the operation. */
  driver: () => VmmDriver;
  teepod: TeepodRow;
  cvm: CvmRow;
  operation: OperationRow;
  owner: string;
  signal: AbortSignal;
  log: Logger;
}

/** One claimed operation while it is worked on: its steps, its lease, its deadline, and the CVM it changes. */
export class OperationRun {
  readonly db: Db;
  readonly teepod: TeepodRow;
  readonly operation: OperationRow;
  readonly log: Logger;
  cvm: CvmRow;
  readonly #open: () => VmmDriver;
  readonly #owner: string;
  readonly #steps: OperationStep[];
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stopping: AbortSignal;
  readonly #stop = () => this.#abort.abort(new LeaseLost('stopping'));

  constructor(options: RunOptions) {
    this.db = options.db;
    this.#open = options.driver;
    this.teepod = options.teepod;
    this.cvm = options.cvm;
    this.operation = options.operation;
    this.log = options.log;
    this.#owner = options.owner;
    this.#steps = options.operation.steps;
    this.#stopping = options.signal;
    if (this.#stopping.aborted) this.#stop();
    else this.#stopping.addEventListener('abort', this.#stop, { once: true });
    this.#timer = setInterval(() => void this.#renew(), 3_000);
  }

  get driver(): VmmDriver {
    return this.#open();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stopping.removeEventListener('abort', this.#stop);
  }

  async #renew() {
    const kept = await renewLease(this.db, this.operation.id, this.#owner).catch(() => true);
    if (!kept) this.#abort.abort(new LeaseLost('another worker holds the lease'));
  }

  /**
   * Runs `work` as a named step, or skips it when an earlier attempt has done it. `work` must be safe to repeat: a
   * crash between doing it and writing that down runs it again.
   */
  async step(name: string, work: () => Promise<string | void>): Promise<void> {
    this.signal.throwIfAborted();
    const earlier = this.#steps.find((step) => step.name === name);
    if (earlier?.state === 'done') return;
    const step: OperationStep = {
      name,
      state: 'running',
      started_at: earlier?.started_at ?? new Date().toISOString(),
    };
    if (earlier) this.#steps.splice(this.#steps.indexOf(earlier), 1);
    this.#steps.push(step);
    await this.#save();
    try {
      const detail = await work();
      if (detail) step.detail = detail;
      step.state = 'done';
    } catch (error) {
      if (error instanceof LeaseLost || this.signal.aborted) throw error;
      step.state = 'failed';
      step.detail = error instanceof Error ? error.message : String(error);
      throw error;
    } finally {
      if (!this.signal.aborted) {
        step.finished_at = new Date().toISOString();
        await this.#save();
      }
    }
  }

  /** Whether this or an earlier attempt has begun the step. */
  began(name: string): boolean {
    return this.#steps.some((step) => step.name === name);
  }

  #save() {
    return saveSteps(this.db, this.operation.id, this.#owner, this.#steps);
  }

  /** Repeats `look` until it answers something, with growing pauses; fails at the operation's deadline. */
  async until<T>(what: string, look: () => Promise<T | undefined>, limit_seconds?: number): Promise<T> {
    const limit = limit_seconds === undefined ? Infinity : Date.now() + limit_seconds * 1000;
    for (let pause = 100; ; pause = Math.min(pause * 1.4, 1_500)) {
      this.checkDeadline(what);
      const found = await this.patient(look);
      if (found !== undefined) return found;
      if (Date.now() > limit)
        throw new OperationFailed('DEADLINE_PASSED', `${what} took longer than ${limit_seconds} s.`);
      await wait(pause, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
    }
  }

  /**
   * A host that is away for a moment (restarting, network) is waited for; a host that says no is believed. For calls
   * that may be made twice, as a lost answer is asked for again: all but CreateVm.
   */
  async patient<T>(call: () => Promise<T>): Promise<T> {
    for (let pause = 250; ; pause = Math.min(pause * 2, 4_000)) {
      this.signal.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof VmmError) || !error.retryable) throw error;
        this.checkDeadline(`The host ${this.teepod.name} does not answer`);
        this.log.warn({ err: error }, 'host does not answer, trying again');
        await wait(pause, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
      }
    }
  }

  /** Moves the deadline so that at least these seconds are left. */
  async moreTime(seconds: number): Promise<void> {
    const deadline_at = new Date(Date.now() + seconds * 1000);
    if (this.operation.deadline_at >= deadline_at) return;
    await withTransaction(this.db, async (trx) => {
      await this.#lock(trx);
      await trx.updateTable('operations').set({ deadline_at }).where('id', '=', this.operation.id).execute();
    });
    this.operation.deadline_at = deadline_at;
  }

  checkDeadline(what: string): void {
    this.signal.throwIfAborted();
    if (Date.now() > this.operation.deadline_at.getTime()) {
      throw new OperationFailed(
        'DEADLINE_PASSED',
        `${what}: not finished before the deadline.`,
        'Try again; if it happens again, ask support with the correlation id.',
      );
    }
  }

  /** Changes the CVM while the lease is held, and tells the pages. */
  async patchCvm(
    change: Partial<Omit<CvmRow, 'id' | 'endpoints'>>,
    event?: { kind: string; message: string; severity?: 'info' | 'warning' | 'error' },
  ) {
    await withTransaction(this.db, async (trx) => {
      await this.#lock(trx);
      await trx
        .updateTable('cvms')
        .set({ ...change, updated_at: new Date() })
        .where('id', '=', this.cvm.id)
        .execute();
      if (event) await addEvent(trx, { cvm: this.cvm, operation: this.operation, ...event });
    });
    this.cvm = { ...this.cvm, ...change };
  }

  /** Ends the operation: its state, the CVM and whatever belongs to it change together, or not at all. */
  async finish(
    state: 'succeeded' | 'failed',
    change: Partial<Omit<CvmRow, 'id' | 'endpoints'>>,
    more?: (trx: Parameters<Parameters<typeof withTransaction>[1]>[0]) => Promise<void>,
    failure?: OperationFailed,
  ): Promise<void> {
    await withTransaction(this.db, async (trx) => {
      await this.#lock(trx);
      await trx
        .updateTable('operations')
        .set({
          state,
          finished_at: new Date(),
          lease_owner: null,
          lease_until: null,
          error_code: failure ? problemCodes[failure.code] : null,
          error_message: failure?.message ?? null,
        })
        .where('id', '=', this.operation.id)
        .execute();
      await trx
        .updateTable('cvms')
        .set({ ...change, updated_at: new Date() })
        .where('id', '=', this.cvm.id)
        .execute();
      await more?.(trx);
      const { type } = this.operation;
      await addEvent(trx, {
        cvm: this.cvm,
        operation: this.operation,
        kind: `${type}.${state}`,
        severity: failure ? 'error' : 'info',
        message: failure ? `${names[type]} failed: ${failure.message}` : `${names[type]} finished`,
      });
    });
  }

  async #lock(trx: Db) {
    const held = await trx
      .selectFrom('operations')
      .select('id')
      .where('id', '=', this.operation.id)
      .where('lease_owner', '=', this.#owner)
      .where('state', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
    if (!held) throw new LeaseLost('another worker holds the lease');
  }
}

const names: Record<OperationRow['type'], string> = {
  deploy: 'Deployment',
  start: 'Start',
  stop: 'Stop',
  shutdown: 'Shutdown',
  restart: 'Restart',
  update: 'Update',
  resize: 'Resize',
  delete: 'Deletion',
};
