/**
 * CVM records on disk: `vms/<id>/`. A record is written completely before the RPC that created it replies.
 */
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PortPlan } from './compose/plan';
import { makeDirectory, syncDirectory, writeDurable } from './durable';
import type { VmConfiguration } from './wire';

export interface VmRecord {
  id: string;
  /** ms since 1970 */
  created_at: number;
  /** 40 hex; never changes */
  app_id: string;
  /** Desired state; the actual state is seen in the containers. */
  started: boolean;
  /** 40 hex; empty before the first boot and with no_instance_id */
  instance_id: string;
  seed: string;
  /** Applies at the next boot. */
  config: VmConfiguration;
}

/** What the last boot used; later configuration changes are not running yet. */
export interface BootRecord {
  boots: number;
  started_at: number;
  compose_file: string;
  image: string;
  /** The boot ended, successfully or with `error`. */
  done: boolean;
  /**
   * Consecutive boots, including this one, cut off by the end of this process. Written before the boot; 0
   * once it ends.
   */
  attempts: number;
  progress: string;
  error: string;
  ports: PortPlan[];
  services: { name: string; container_name: string }[];
}

const RECORD = 'vm.json';
const BOOT = 'boot.json';
const REMOVING = '.removing';
const PARTIAL = '.partial-';

export class Store {
  constructor(readonly root: string) {}

  static async open(dir: string): Promise<Store> {
    const store = new Store(join(dir, 'vms'));
    await makeDirectory(store.root);
    for (const name of await readdir(store.root)) {
      if (name.startsWith(PARTIAL)) await rm(join(store.root, name), { recursive: true, force: true });
    }
    return store;
  }

  dir(id: string): string {
    return join(this.root, id);
  }

  async create(record: VmRecord): Promise<void> {
    const partial = join(this.root, PARTIAL + record.id);
    await mkdir(join(partial, 'engine'), { recursive: true, mode: 0o700 });
    await writeDurable(join(partial, RECORD), JSON.stringify(record));
    await rename(partial, this.dir(record.id));
    await syncDirectory(this.root);
  }

  save(record: VmRecord): Promise<void> {
    return writeDurable(join(this.dir(record.id), RECORD), JSON.stringify(record));
  }

  saveBoot(id: string, boot: BootRecord): Promise<void> {
    return writeDurable(join(this.dir(id), BOOT), JSON.stringify(boot));
  }

  /** The exact texts, for the operator; the program never reads them back. */
  async saveFiles(id: string, appCompose: string, dockerCompose: string): Promise<void> {
    await writeDurable(join(this.dir(id), 'app-compose.json'), appCompose);
    await writeDurable(join(this.dir(id), 'docker-compose.yml'), dockerCompose);
  }

  markRemoving(id: string): Promise<void> {
    return writeDurable(join(this.dir(id), REMOVING), '');
  }

  async delete(id: string): Promise<void> {
    // Renamed first: a half-deleted directory must never look like a CVM.
    const partial = join(this.root, PARTIAL + id);
    await rename(this.dir(id), partial).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    await syncDirectory(this.root);
    await rm(partial, { recursive: true, force: true });
  }

  async ids(): Promise<string[]> {
    return (await readdir(this.root)).filter((name) => !name.startsWith('.'));
  }

  async load(
    id: string,
  ): Promise<{ record: VmRecord; boot: BootRecord | undefined; removing: boolean } | undefined> {
    const text = await readText(join(this.dir(id), RECORD));
    if (text === undefined) return undefined;
    const boot = await readText(join(this.dir(id), BOOT));
    return {
      record: JSON.parse(text) as VmRecord,
      boot: boot === undefined ? undefined : (JSON.parse(boot) as BootRecord),
      removing: (await readText(join(this.dir(id), REMOVING))) !== undefined,
    };
  }
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
