/** A CVM as this process sees it: the record on disk plus its current activity. */
import pLimit from 'p-limit';
import type { VmConfiguration } from './wire';
import type { BootRecord, VmRecord } from './store';
import { VmLog } from './vmLog';

export interface VmEvent {
  event: string;
  body: string;
  /** ms since 1970 */
  timestamp: number;
}

export type VmStatus = 'running' | 'exited' | 'stopping' | 'stopped' | 'removing';

const EVENTS = 20;
const EVENT_BYTES = 4 * 1024;

export class Vm {
  /** Serializes changes to the record. */
  readonly changes = pLimit(1);
  readonly log: VmLog;
  removing = false;
  /** Loaded from disk after a restart, but not yet compared with the engine or booted again. */
  recovering = false;
  /** The guest is booting, or booted and running. */
  alive = false;
  booting: { abort: AbortController; done: Promise<void> } | undefined;
  halting: Promise<void> | undefined;
  progress = '';
  error = '';
  shutdownProgress = '';
  startedAt = 0;
  /** When the last boot ended. */
  upAt = 0;
  exitedAt = 0;
  events: VmEvent[] = [];
  restarts = 0;
  exhausted = false;

  constructor(
    public record: VmRecord,
    public boot: BootRecord | undefined,
    readonly dir: string,
  ) {
    this.log = new VmLog(dir);
  }

  get id(): string {
    return this.record.id;
  }

  get config(): VmConfiguration {
    return this.record.config;
  }

  /** Prefix for everything the CVM owns on the engine. */
  get project(): string {
    return `teehouse-${this.id.replaceAll('-', '').slice(0, 12)}`;
  }

  get status(): VmStatus {
    if (this.removing) return 'removing';
    if (this.record.started) return this.alive ? 'running' : 'exited';
    return this.alive ? 'stopping' : 'stopped';
  }

  event(event: string, body: string): void {
    const bounded = Buffer.byteLength(body) > EVENT_BYTES ? body.slice(0, EVENT_BYTES / 4) : body;
    this.events = [...this.events, { event, body: bounded, timestamp: Date.now() }].slice(-EVENTS);
  }

  /** Records a boot step, with dstack's wording. */
  step(progress: string): void {
    this.progress = progress;
    this.event('boot.progress', progress);
    this.log.write('serial', `[${seconds(this.startedAt)}] dstack: ${progress}`);
  }
}

const isAtRest = (vm: Vm): boolean => !vm.recovering && !vm.booting && !vm.halting && !vm.removing;
export const isSettled = (vm: Vm): boolean => vm.record.started && vm.alive && isAtRest(vm);
export const isDown = (vm: Vm): boolean => !vm.record.started && !vm.alive && isAtRest(vm);

function seconds(since: number): string {
  return ((Date.now() - since) / 1000).toFixed(3).padStart(9);
}
