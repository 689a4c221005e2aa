import { ownValue } from '../../../console/lib/ownValue';
import type { StepName } from '../../../console/lib/cvms/steps';
import { setTimeout as wait } from 'node:timers/promises';
import { sql, type UpdateObject } from 'kysely';
import { problemCodes } from '../../../generated/api/permissions.gen';
import type { Logger } from 'pino';
import { cancelledEvent } from '../../db/activity/cancelling';
import { prepared, retried, withTransaction, type Db, type Tx } from '../../db/core/client';
import { cancellationOf, endOperation, type OperationEnd } from '../../db/activity/endOperation';
import {
  changeWithEvent,
  operationLeases,
  renewOperation,
  saveSteps,
  type Hold,
  type NewEvent,
} from '../../db/activity/operations';
import type { CvmChange, CvmRow } from '../../db/cvms/cvmsTable';
import type { OperationPayload, OperationRow, OperationStep } from '../../db/activity/operationsTable';
import type { Database } from '../../db/core/schema';
import type { ReachedHost } from '../../db/cvms/cvmOnHost';
import { endWords, failureCause } from '../../../console/lib/cvms/operationWords';
import type { ChainDriver } from '../../drivers/chain';
import { VmmError, type VmmDriver } from '../../drivers/vmm';
import { operationText, type Phase } from '../../../console/lib/texts/operationTexts';
import type { Text } from '../../../console/lib/texts/text';
import { Cancelled, LeaseLost, OperationFailed, reasonOf } from './operationErrors';

const TAKEN = 'another worker holds the lease';

export interface RunOptions {
  db: Db;
  /** @throws when the host's address or credential is invalid, which fails the operation. */
  driver: (teepod: ReachedHost) => VmmDriver;
  chain: ChainDriver;
  teepod: ReachedHost;
  cvm: CvmRow;
  operation: OperationRow;
  owner: string;
  /** Earliest possible claim time (`performance.now()`). */
  claimed_at: number;
  signal: AbortSignal;
  log: Logger;
}

/**
 * How long a worker trusts its lease of ten seconds without renewing it. Measured by the process's own clock,
 * which also advances while the process is paused.
 */
const TRUSTED_MS = 7_000;

/** One claimed operation in progress: its steps, its lease, its deadline, and the CVM it changes. */
export class OperationRun {
  readonly db: Db;
  readonly chain: ChainDriver;
  /** The CVM's host; a move changes it. */
  teepod: ReachedHost;
  readonly operation: OperationRow;
  readonly log: Logger;
  cvm: CvmRow;
  readonly #open: (teepod: ReachedHost) => VmmDriver;
  readonly #owner: string;
  readonly #steps: OperationStep[];
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #stopping: AbortSignal;
  readonly #stop = () => this.#abort.abort(new LeaseLost('stopping'));
  #cancelled: boolean;
  /** When the lease stops counting (`performance.now()`). */
  #held_until: number;
  #undoing = false;
  /** Changes of the CVM that aren't stored yet. */
  #noted: CvmChange = {};
  #live_revision_id: number | null = null;
  #ended: { state: OperationEnd; error_code: string | undefined } | undefined;

  constructor(options: RunOptions) {
    this.db = options.db;
    this.chain = options.chain;
    this.#open = options.driver;
    this.teepod = options.teepod;
    this.cvm = options.cvm;
    this.operation = options.operation;
    this.log = options.log;
    this.#owner = options.owner;
    this.#steps = options.operation.steps;
    this.#cancelled = options.operation.cancel_requested_at !== null;
    this.#held_until = options.claimed_at + TRUSTED_MS;
    this.#stopping = options.signal;
    if (this.#stopping.aborted) this.#stop();
    else this.#stopping.addEventListener('abort', this.#stop, { once: true });
    this.#timer = setInterval(() => void this.#renew(), 3_000);
  }

  /** The result; undefined while in progress, and if another worker continues it. */
  get ended(): { state: OperationEnd; error_code: string | undefined } | undefined {
    return this.#ended;
  }

  get driver(): VmmDriver {
    return this.#open(this.teepod);
  }

  /** Returns the driver of a host other than the CVM's. */
  driverOf(teepod: ReachedHost): VmmDriver {
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
    const asked_at = performance.now();
    const hold = await renewOperation(this.db, this.operation.id, this.#owner).catch(() => null);
    if (hold === null) return;
    this.#note(hold);
    if (hold !== 'lost') this.#held_until = asked_at + TRUSTED_MS;
  }

  /**
   * Call right before a request to a host. A process paused for longer than its lease resumes in the middle of
   * its work, before it learns that another worker has taken the operation.
   * @throws LeaseLost
   */
  async stillHeld(): Promise<void> {
    if (performance.now() > this.#held_until) {
      await this.#renew();
      if (performance.now() > this.#held_until && !this.signal.aborted)
        throw new LeaseLost("couldn't renew the lease");
    }
    this.#throwIfOver();
  }

  #note(hold: Hold) {
    if (hold === 'lost') this.#abort.abort(new LeaseLost(TAKEN));
    if (hold === 'cancelled') this.#cancelled = true;
  }

  /** From here on, the cancellation no longer stops the run, because the run is undoing its work. */
  beginUndo(): void {
    this.#undoing = true;
  }

  #throwIfOver(): void {
    this.signal.throwIfAborted();
    if (this.#cancelled && !this.#undoing) throw new Cancelled();
  }

  /**
   * Runs `work` as a named step, or skips it when an earlier attempt completed it. `work` must be idempotent:
   * a crash before the step is recorded runs it again.
   */
  async step(name: StepName, work: () => Promise<Text | void>): Promise<void> {
    const { step, earlier } = this.#begin(name);
    if (!step) return;
    await this.#save();
    // Canceled before this was recorded: the canceling user relies on the step not having started.
    if (this.#cancelled && !this.#undoing) {
      this.#steps.splice(this.#steps.indexOf(step), 1, ...(earlier ? [earlier] : []));
      await this.#save();
    }
    this.#throwIfOver();
    try {
      const detail = await work();
      if (detail) this.#explain(step, detail);
      // Saved with the next write: the start of the next step, or the end of the operation.
      step.state = 'done';
      step.finished_at = new Date().toISOString();
    } catch (error) {
      if (error instanceof LeaseLost || this.signal.aborted) throw error;
      step.state = 'failed';
      step.finished_at = new Date().toISOString();
      this.#explain(step, reasonOf(error));
      await this.#save();
      throw error;
    }
  }

  /** Records a step that has nothing to do. Saved with the next write: a step, or the end of the operation. */
  pass(name: StepName): void {
    const { step } = this.#begin(name);
    if (step) Object.assign(step, { state: 'done', finished_at: new Date().toISOString() });
  }

  /** Adds the step, unless an earlier attempt completed it. `earlier` is its record if one began it. */
  #begin(name: StepName): { step?: OperationStep; earlier?: OperationStep | undefined } {
    this.#throwIfOver();
    const earlier = this.#steps.find((step) => step.name === name);
    if (earlier?.state === 'done') return {};
    const started_at = earlier?.started_at ?? new Date().toISOString();
    const step: OperationStep = { name, state: 'running', started_at };
    if (earlier) this.#steps.splice(this.#steps.indexOf(earlier), 1);
    this.#steps.push(step);
    return { step, earlier };
  }

  #explain(step: OperationStep, { keys, text }: Text): void {
    step.detail = text;
    step.detail_keys = keys;
  }

  /** Returns whether this or an earlier attempt has started the step. */
  began(name: string): boolean {
    return this.#steps.some((step) => step.name === name);
  }

  async #save() {
    // A later attempt skips completed steps, and then doesn't find again what they noted.
    await this.storeNoted();
    this.#note(await saveSteps(this.db, this.operation.id, this.#owner, this.#steps));
  }

  /** Repeats `look` with backoff until it returns a value; fails at the operation's deadline. */
  async until<T>(phase: Phase, look: () => Promise<T | undefined>, limit_seconds?: number): Promise<T> {
    const limit = limit_seconds === undefined ? Infinity : Date.now() + limit_seconds * 1000;
    for (let pause = 100; ; pause = Math.min(pause * 2, 1_500)) {
      this.checkDeadline(operationText('deadline_passed', { phase }));
      const found = await this.patient(look);
      if (found !== undefined) return found;
      if (Date.now() > limit)
        throw new OperationFailed(
          'DEADLINE_PASSED',
          operationText('took_too_long', { phase, seconds: limit_seconds ?? 0 }),
        );
      await wait(pause, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
    }
  }

  /**
   * Waits for an unreachable host (restart, network), but accepts a refusal. Only for idempotent calls,
   * because a lost response is retried: all but CreateVm.
   */
  async patient<T>(call: () => Promise<T>): Promise<T> {
    for (let pause = 250; ; pause = Math.min(pause * 2, 4_000)) {
      await this.stillHeld();
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof VmmError) || !error.retryable) throw error;
        this.checkDeadline(operationText('host_silent', { host: this.teepod.name }));
        this.log.warn({ err: error }, "host isn't responding, retrying");
        await wait(pause, undefined, { signal: this.signal }).catch(() => this.signal.throwIfAborted());
      }
    }
  }

  /** Extends the deadline to at least this many seconds after `since`. */
  async moreTime(seconds: number, since = new Date()): Promise<void> {
    const deadline_at = new Date(since.getTime() + seconds * 1000);
    if (this.operation.deadline_at >= deadline_at) return;
    await this.#change({ deadline_at });
    this.operation.deadline_at = deadline_at;
  }

  /** Stores what the operation needs to resume after a crash. */
  async patchPayload(more: Partial<OperationPayload>): Promise<void> {
    const stored: Record<string, unknown> = { ...this.operation.payload };
    if (Object.entries(more).every(([name, value]) => ownValue(stored, name) === value)) return;
    await this.#change({ payload: sql<string>`payload || ${JSON.stringify(more)}::jsonb` });
    Object.assign(this.operation.payload, more);
  }

  #retried<T>(write: () => Promise<T>): Promise<T> {
    return retried(write, { operation: this.operation.type });
  }

  /** Changes the operation in one statement, while the lease is held. */
  async #change(change: UpdateObject<Database, 'operations'>): Promise<void> {
    const { id } = this.operation;
    const changed = await this.#retried(() =>
      this.db
        .updateTable('operations')
        .set(change)
        .where(operationLeases.isOwn(id, this.#owner))
        .executeTakeFirst(),
    );
    if (changed.numUpdatedRows === 0n) throw new LeaseLost(TAKEN);
  }

  /** @throws OperationFailed with this reason after the deadline */
  checkDeadline(reason: Text): void {
    this.#throwIfOver();
    if (Date.now() > this.operation.deadline_at.getTime()) {
      throw new OperationFailed('DEADLINE_PASSED', reason, operationText('advice_retry'));
    }
  }

  /** Changes the CVM while the lease is held, and notifies pages. */
  async patchCvm(change: CvmChange, event?: Pick<NewEvent, 'kind' | 'message' | 'severity'>): Promise<void> {
    const patch = this.db
      .updateTable('cvms')
      .set({ ...this.#noted, ...change, updated_at: new Date() })
      .where('id', '=', this.cvm.id)
      .where(operationLeases.isHeld(this.operation.id, this.#owner));
    // Every step of a boot does this: one statement instead of a transaction.
    const isPatched = await this.#retried(async () =>
      event
        ? changeWithEvent(this.db, patch, { cvm: this.cvm, operation: this.operation, ...event })
        : (await patch.modifyEnd(prepared).executeTakeFirst()).numUpdatedRows > 0n,
    );
    if (!isPatched) throw new LeaseLost(TAKEN);
    this.#noted = {};
    this.cvm = { ...this.cvm, ...change };
  }

  /**
   * Changes the CVM with the next write: a patch, a step, or the end of the operation. For what another attempt would
   * find again if this one is killed before.
   */
  noteCvm(change: CvmChange): void {
    this.#noted = { ...this.#noted, ...change };
    this.cvm = { ...this.cvm, ...change };
  }

  async storeNoted(): Promise<void> {
    if (Object.keys(this.#noted).length > 0) await this.patchCvm({});
  }

  /** Marks the revision live, which the CVM runs now, when the operation succeeds. */
  noteLive(revision_id: number): void {
    this.#live_revision_id = revision_id;
  }

  /** Ends the operation: its state, the CVM and related rows change together, or not at all. */
  async finish(
    state: OperationEnd,
    change: CvmChange & { status_reason_keys?: string },
    more?: (trx: Tx) => Promise<void>,
    failure?: OperationFailed,
  ): Promise<void> {
    const error_code = failure && state === 'failed' ? problemCodes[failure.code] : undefined;
    const { operation, cvm } = this;
    const end = async (db: Db | Tx) => {
      const event = state === 'cancelled' ? await this.#cancelledEvent(db) : this.#endEvent(state, failure);
      const isEnded = await endOperation(db, {
        operation,
        owner: this.#owner,
        state,
        steps: this.#steps,
        error_code: error_code ?? null,
        error_message: failure?.message ?? null,
        error_keys: failure?.reason.keys ?? [],
        cvm,
        change: { ...this.#noted, ...change },
        event,
        live_revision_id: state === 'succeeded' ? this.#live_revision_id : null,
      });
      if (isEnded) return;
      // An accepted cancellation remains to be undone.
      throw (await cancellationOf(db, operation.id, this.#owner))?.at
        ? new Cancelled()
        : new LeaseLost(TAKEN);
    };
    if (more || state === 'cancelled')
      await withTransaction(
        this.db,
        async (trx) => {
          await end(trx);
          // Last, so that events it adds follow the one that ends the operation.
          await more?.(trx);
        },
        { operation: operation.type },
      );
    else await this.#retried(() => end(this.db));
    this.#ended = { state, error_code };
  }

  async #cancelledEvent(db: Db | Tx): Promise<NewEvent> {
    const asked = await cancellationOf(db, this.operation.id, this.#owner);
    return cancelledEvent(db, { cvm: this.cvm, operation: this.operation, by: asked?.by ?? null });
  }

  #endEvent(state: Exclude<OperationEnd, 'cancelled'>, failure: OperationFailed | undefined): NewEvent {
    const { type, payload } = this.operation;
    return {
      cvm: this.cvm,
      operation: this.operation,
      kind: `${type}.${state}`,
      severity: failure ? 'error' : 'info',
      message: failure
        ? `${endWords(type, 'failed', payload)}: ${failureCause(failure.message)}`
        : endWords(type, 'succeeded', payload),
      // For notices and toasts derived from the event.
      data: {
        ...(payload.restores ? { restores: true } : {}),
        ...(payload.rolls_back ? { rolls_back: true } : {}),
      },
    };
  }
}
