/** Used without a Docker engine: containers exist in name only, and all their output says so. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurable } from '../durable';
import type { Engine, EngineContainer, LogChunk, LogQuery, StartRequest } from './types';
import { counted } from '../../../console/lib/texts/count';

interface Saved {
  vm_id: string;
  /** ms; 0 when stopped */
  started_at: number;
  stopped_at: number;
  services: { name: string; image: string }[];
}

const FILE = 'simulated.json';
/** Interval of log lines, so that a followed log visibly moves. */
const LINE_EVERY_MS = 15_000;
/** Bounds the log of a CVM that has run for a year. */
const MAX_LINES = 5_000;

export class SimulatedEngine implements Engine {
  readonly kind = 'simulated';
  readonly #vms = new Map<string, Saved>();
  readonly #dirs = new Map<string, string>();

  /** `vmsDir` holds one directory per CVM. CVMs outlive their teepod here too. */
  static async open(vmsDir: string): Promise<SimulatedEngine> {
    const engine = new SimulatedEngine();
    for (const name of await readdir(vmsDir).catch(() => [])) {
      const dir = join(vmsDir, name, 'engine');
      const text = await readFile(join(dir, FILE), 'utf8').catch(() => undefined);
      if (text === undefined) continue;
      const saved = JSON.parse(text) as Saved;
      engine.#vms.set(saved.vm_id, saved);
      engine.#dirs.set(saved.vm_id, dir);
    }
    return engine;
  }

  async run(): Promise<string> {
    return '';
  }

  async list(): Promise<EngineContainer[]> {
    return [...this.#vms.values()].flatMap((vm) =>
      vm.services.map(({ name, image }) => ({
        id: createHash('sha256').update(`${vm.vm_id}/${name}`).digest('hex'),
        vm_id: vm.vm_id,
        service: name,
        image,
        image_id: '',
        created: Math.floor((vm.started_at || vm.stopped_at) / 1000),
        state: vm.started_at ? 'running' : 'exited',
        status: vm.started_at
          ? `Up ${dockerDuration(Date.now() - vm.started_at)} (simulated)`
          : 'Exited (137) (simulated)',
        index: 1,
      })),
    );
  }

  async prepare(): Promise<void> {}

  async start({ vm_id, plan, dir, log, signal }: StartRequest): Promise<void> {
    log(
      'no Docker engine is responding on this machine: containers are simulated, and nothing in the Compose file runs',
    );
    if (signal.aborted) return;
    const services = plan.services.map(({ name, image }) => ({ name, image }));
    await this.#save(dir, { vm_id, started_at: Date.now(), stopped_at: 0, services });
  }

  async kill(vmId: string): Promise<void> {
    const saved = this.#vms.get(vmId);
    const dir = this.#dirs.get(vmId);
    if (saved?.started_at && dir) await this.#save(dir, { ...saved, started_at: 0, stopped_at: Date.now() });
  }

  stop(vmId: string): Promise<void> {
    return this.kill(vmId);
  }

  async remove(vmId: string): Promise<void> {
    const dir = this.#dirs.get(vmId);
    if (dir) await rm(join(dir, FILE), { force: true });
    this.#vms.delete(vmId);
    this.#dirs.delete(vmId);
  }

  async *logs(container: EngineContainer, query: LogQuery, signal: AbortSignal): AsyncGenerator<LogChunk> {
    const format = (at: number, text: string): LogChunk => ({
      channel: 'stdout',
      message: Buffer.from(`${query.timestamps ? `${new Date(at).toISOString()} ` : ''}${text}\n`),
    });
    const inside = (at: number): boolean =>
      (query.since === 0 || at >= query.since * 1000) && (query.until === 0 || at <= query.until * 1000);
    const started = (): number => this.#vms.get(container.vm_id)?.started_at ?? 0;
    const line = (start: number, index: number): [number, string] =>
      index === 0
        ? [
            start,
            `${container.service}: containers are simulated because no Docker engine is responding on this machine (image ${container.image})`,
          ]
        : [
            start + index * LINE_EVERY_MS,
            `${container.service}: still simulated after ${(index * LINE_EVERY_MS) / 1000} s`,
          ];

    const start = started();
    if (start === 0) return;
    const last = Math.floor((Date.now() - start) / LINE_EVERY_MS);
    const due: [number, string][] = [];
    for (let index = last >= MAX_LINES ? last - MAX_LINES : 0; index <= last; index++)
      due.push(line(start, index));
    const shown = due.filter(([at]) => inside(at));
    for (const entry of query.tail < 0 ? shown : query.tail === 0 ? [] : shown.slice(-query.tail))
      yield format(...entry);

    for (let index = last + 1; query.follow && !signal.aborted; index++) {
      const [at, text] = line(start, index);
      if (query.until > 0 && at > query.until * 1000) return;
      while (Date.now() < at && !signal.aborted && started() === start)
        await pause(Math.min(500, at - Date.now()));
      if (signal.aborted || started() !== start) return;
      yield format(at, text);
    }
  }

  async usage(): Promise<undefined> {
    return undefined;
  }

  diskUse(): undefined {
    return undefined;
  }

  async endpoint(): Promise<undefined> {
    return undefined;
  }

  async #save(dir: string, saved: Saved): Promise<void> {
    await writeDurable(join(dir, FILE), JSON.stringify(saved));
    this.#vms.set(saved.vm_id, saved);
    this.#dirs.set(saved.vm_id, dir);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(ms, 1)));

const UNITS = [
  { ms: 86_400_000, words: ['day', 'days'] },
  { ms: 3_600_000, words: ['hour', 'hours'] },
  { ms: 60_000, words: ['minute', 'minutes'] },
] as const;

/** A duration in the words of `docker ps`: "12 seconds", "3 minutes", "2 days". */
function dockerDuration(ms: number): string {
  const unit = UNITS.find((one) => ms >= one.ms) ?? { ms: 1000, words: ['second', 'seconds'] as const };
  return counted(Math.floor(ms / unit.ms), unit.words);
}
