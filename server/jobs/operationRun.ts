import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { problemCodes, type ProblemName } from '../../generated/api/permissions.gen';
import type { Logger } from 'pino';
import { cancelledEvent } from '../db/cancelling';
import { withTransaction, type Db, type Tx } from '../db/client';

import { addEvent, renewLease, saveSteps, type Hold } from '../db/operations';
import type { CvmRow, OperationPayload, OperationRow, OperationStep, TeepodRow } from '../db/schema';
import { operationNames } from '../domain/cvmStates';
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

/** Somebody cancelled it: what was done is to be taken back. */
export class Cancelled extends Error {}

/** Another worker took over, or the process is stopping: touch nothing more, the operation goes on elsewhere. */
export class LeaseLost extends Error {}

export interface RunOptions {
  db: Db;
  /** @throws when the host's address or credential makes no sense, which then is a failure of the operation. */
  driver: (teepod: TeepodRow) => VmmDriver;
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
  /** Where the CVM is; another one after `workOn`. */
  teepod: TeepodRow;
  readonly operation: OperationRow;
  readonly log: Logger;
  cvm: CvmRow;
  readonly #open: (teepod: TeepodRow) => VmmDriver;
  readonly #owner: string;
  readonly #steps: OperationStep[];
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stopping: AbortSignal;
  readonly #stop = () => this.#abort.abort(new LeaseLost('stopping'));
  #cancelled: boolean;
  #undoing = false;

  constructor(options: RunOptions) {
    this.db = options.db;
    this.#open = options.driver;
    this.teepod = options.teepod;
    this.cvm = options.cvm;
    this.operation = options.operation;
    this.log = options.log;
    this.#owner = options.owner;
    this.#steps = options.operation.steps;
    this.#cancelled = options.operation.cancel_requested_at !== null;
    this.#stopping = options.signal;
    if (this.#stopping.aborted) this.#stop();
    else this.#stopping.addEventListener('abort', this.#stop, { once: true });
    this.#timer = setInterval(() => void this.#renew(), 3_000);
  }

  get driver(): VmmDriver {
    return this.#open(this.teepod);
  }

  /** The driver of another host than the one the CVM is on. */
  driverOf(teepod: TeepodRow): VmmDriver {
    return this.#open(teepod);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#stopping.removeEventListener('abort', this.#stop);
  }

  async #renew() {
    this.#note(await renewLease(this.db, this.operation.id, this.#owner).catch(() => 'held' as const));
  }

  #note(hold: Hold) {
    if (hold === 'lost') this.#abort.abort(new LeaseLost('another worker holds the lease'));
    if (hold === 'cancelled') this.#cancelled = true;
  }

  /** From here on the cancellation is not what stops it, but what it works on. */
  beginUndo(): void {
    this.#undoing = true;
  }

  #throwIfOver(): void {
    this.signal.throwIfAborted();
    if (this.#cancelled && !this.#undoing) throw new Cancelled();
  }

  /**
   * Runs `work` as a named step, or skips it when an earlier attempt has done it. `work` must be safe to repeat: a
   * crash between doing it and writing that down runs it again.
   */
  async step(name: string, work: () => Promise<string | void>): Promise<void> {
    this.#throwIfOver();
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
    // Cancelled before this was written down: who cancelled counts on it not having begun.
    if (this.#cancelled && !this.#undoing) {
      this.#steps.splice(this.#steps.indexOf(step), 1, ...(earlier ? [earlier] : []));
      await this.#save();
    }
    this.#throwIfOver();
    try {
      const detail = await work();
      if (detail) step.detail = detail;
      step.state = 'done';
    } catch (error) {
      if (error instanceof LeaseLost || this.signal.aborted) throw error;
      step.state = 'failed';
      step.detail =
        error instanceof Cancelled ? 'cancelled' : error instanceof Error ? error.message : String(error);
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

  async #save() {
    this.#note(await saveSteps(this.db, this.operation.id, this.#owner, this.#steps));
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
      this.#throwIfOver();
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

  /** Moves the deadline so that there are at least these seconds from `since` on. */
  async moreTime(seconds: number, since = new Date()): Promise<void> {
    const deadline_at = new Date(since.getTime() + seconds * 1000);
    if (this.operation.deadline_at >= deadline_at) return;
    await withTransaction(this.db, async (trx) => {
      await this.#lock(trx);
      await trx.updateTable('operations').set({ deadline_at }).where('id', '=', this.operation.id).execute();
    });
    this.operation.deadline_at = deadline_at;
  }

  /** Notes something the operation needs to run again after a crash. */
  async patchPayload(more: Partial<OperationPayload>): Promise<void> {
    await withTransaction(this.db, async (trx) => {
      await this.#lock(trx);
      await trx
        .updateTable('operations')
        .set({ payload: sql<string>`payload || ${JSON.stringify(more)}::jsonb` })
        .where('id', '=', this.operation.id)
        .execute();
    });
    Object.assign(this.operation.payload, more);
  }

  checkDeadline(what: string): void {
    this.#throwIfOver();
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
    state: 'succeeded' | 'failed' | 'cancelled',
    change: Partial<Omit<CvmRow, 'id' | 'endpoints'>>,
    more?: (trx: Tx) => Promise<void>,
    failure?: OperationFailed,
  ): Promise<void> {
    await withTransaction(this.db, async (trx) => {
      const { cancel_requested_at, cancel_requested_by } = await this.#lock(trx);
      // Whoever cancelled was promised that it would not come to this.
      if (state === 'succeeded' && cancel_requested_at) throw new Cancelled();
      await trx
        .updateTable('operations')
        .set({
          state,
          finished_at: new Date(),
          lease_owner: null,
          lease_until: null,
          error_code: failure && state === 'failed' ? problemCodes[failure.code] : null,
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
      await addEvent(
        trx,
        state === 'cancelled'
          ? await cancelledEvent(trx, { cvm: this.cvm, operation: this.operation, by: cancel_requested_by })
          : {
              cvm: this.cvm,
              operation: this.operation,
              kind: `${type}.${state}`,
              severity: failure ? 'error' : 'info',
              message: failure
                ? `${operationNames[type]} failed: ${failure.message}`
                : `${operationNames[type]} finished`,
            },
      );
    });
  }

  async #lock(trx: Db) {
    const held = await trx
      .selectFrom('operations')
      .select(['cancel_requested_at', 'cancel_requested_by'])
      .where('id', '=', this.operation.id)
      .where('lease_owner', '=', this.#owner)
      .where('state', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
    if (!held) throw new LeaseLost('another worker holds the lease');
    return held;
  }
}
