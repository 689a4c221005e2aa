/**
 * One control group per CVM, so that its containers share the CVM's CPU, memory and processes as they would
 * inside a real one. Works where this program is root on the engine's machine and the engine uses the
 * cgroupfs driver. Elsewhere (systemd driver, Docker Desktop, rootless) each container is capped at the CVM's
 * size instead.
 */
import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CvmLimits } from '../compose/plan';

const ROOT = '/sys/fs/cgroup';
const PERIOD_US = 100_000;

export class Cgroups {
  constructor(
    readonly version: string,
    readonly driver: string,
    /** False if the engine is reached over the network. */
    readonly local: boolean,
  ) {}

  get usable(): boolean {
    return (
      this.local && process.platform === 'linux' && process.getuid?.() === 0 && this.driver === 'cgroupfs'
    );
  }

  /**
   * Returns the `cgroup_parent` to run under, with its limits set and verified; undefined where that doesn't
   * work.
   */
  async prepare(project: string, limits: CvmLimits): Promise<string | undefined> {
    if (!this.usable) return undefined;
    try {
      for (const [file, value] of this.#settings(project, limits)) {
        await mkdir(join(file, '..'), { recursive: true });
        await writeFile(file, value);
      }
      const [memory] = this.#settings(project, limits).find(([file]) =>
        /memory\.(max|limit_in_bytes)$/.test(file),
      ) ?? [''];
      const set = Number((await readFile(memory, 'utf8')).trim());
      return set > 0 && set <= limits.memory_bytes ? `/${project}` : undefined;
    } catch {
      await this.remove(project);
      return undefined;
    }
  }

  async remove(project: string): Promise<void> {
    if (!this.usable) return;
    const folders = this.version === '2' ? [''] : await controllers();
    for (const folder of folders) await rmdir(join(ROOT, folder, project)).catch(() => undefined);
  }

  #settings(project: string, limits: CvmLimits): [string, string][] {
    const quota = String(Math.round(limits.cpus * PERIOD_US));
    const memory = String(limits.memory_bytes);
    if (this.version === '2') {
      const dir = join(ROOT, project);
      return [
        [join(dir, 'memory.max'), memory],
        [join(dir, 'cpu.max'), `${quota} ${PERIOD_US}`],
        [join(dir, 'pids.max'), String(limits.pids)],
      ];
    }
    return [
      [join(ROOT, 'memory', project, 'memory.limit_in_bytes'), memory],
      [join(ROOT, 'cpu', project, 'cpu.cfs_period_us'), String(PERIOD_US)],
      [join(ROOT, 'cpu', project, 'cpu.cfs_quota_us'), quota],
      [join(ROOT, 'pids', project, 'pids.max'), String(limits.pids)],
    ];
  }
}

async function controllers(): Promise<string[]> {
  const text = await readFile('/proc/self/cgroup', 'utf8').catch(() => '');
  const named = text
    .split('\n')
    .flatMap((line) => (line.split(':')[1] ?? '').replace('name=', '').split(','));
  const present: string[] = [];
  for (const name of [...new Set(named), 'unified']) {
    if (
      name &&
      (await access(join(ROOT, name)).then(
        () => true,
        () => false,
      ))
    )
      present.push(name);
  }
  return present;
}
