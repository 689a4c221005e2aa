/** Runs each CVM as a Compose project on a Docker engine. */
import { cpus } from 'node:os';
import pLimit from 'p-limit';
import { composeDocument, usedNetworks, type ComposePlan, type PortPlan } from '../compose/plan';
import { writeYaml, type Out } from '../compose/yaml';
import { Cgroups } from './cgroup';
import { dropOtherConfigFiles, writeConfigFiles } from './configFiles';
import { ComposeFailed, endStaleCompose, runCompose } from './compose';
import { DockerApi, PullLimit, type ContainerSummary, type ImageDetail } from './dockerApi';
import { dockerLogs } from './dockerLogs';
import type { FoundDocker } from './find';
import { say } from '../log';
import { inheritedLabels } from './imageLabels';
import type { Registries } from './registries';
import { stopOrder } from './stopOrder';
import { freeSubnets } from './subnets';
import type { Engine, EngineContainer, LogChunk, LogQuery, StartRequest, Usage } from './types';
import { containerUsage, CpuClock, DiskAccounts } from './usage';

const LABEL_TEEPOD = 'teehouse.teepod';
const LABEL_VM = 'teehouse.vm';
const LABEL_SERVICE = 'teehouse.service';
const PULL_TIMEOUT_MS = 600_000;
/** Download size, compressed. */
const MAX_IMAGE_BYTES = 32 * 2 ** 30;
const UP_TIMEOUT_MS = 600_000;
const ATTEMPTS = 4;
/** Longest time a container gets to stop; the control plane waits no longer either. */
const MAX_GRACE_SECONDS = 1_200;

export class DockerEngine implements Engine {
  readonly kind = 'docker';
  /** Held from choosing addresses until the networks exist, one CVM at a time. */
  readonly #addresses = pLimit(1);
  readonly #reserved = new Map<string, string[]>();
  readonly #pulls = new Map<string, Promise<void>>();
  readonly #usages = new Map<string, Promise<Usage>>();
  readonly #cpu = new CpuClock();
  readonly #disk: DiskAccounts;
  #boundLayers: Promise<boolean> | undefined;

  constructor(
    readonly api: DockerApi,
    readonly composeCommand: string[],
    /** Owns what carries its label: several teepods may share an engine. */
    readonly teepodId: string,
    readonly cgroups: Cgroups,
    readonly hostCpus: number,
    readonly registries: Registries,
  ) {
    this.#disk = new DiskAccounts(api, LABEL_VM);
  }

  static async open(found: FoundDocker, teepodId: string, registries: Registries): Promise<DockerEngine> {
    const api = new DockerApi(found.socket);
    const info = await api.info();
    const local = !found.socket.startsWith('tcp://');
    const cgroups = new Cgroups(info.CgroupVersion ?? '1', info.CgroupDriver ?? '', local);
    return new DockerEngine(api, found.compose, teepodId, cgroups, info.NCPU ?? cpus().length, registries);
  }

  /** The engine recreates its own network when it starts, unless containers kept running (live restore). */
  async run(): Promise<string> {
    return (await this.api.networks([])).find(({ Name }) => Name === 'bridge')?.Id ?? '';
  }

  async list(): Promise<EngineContainer[]> {
    const found = await this.api.containers([`${LABEL_TEEPOD}=${this.teepodId}`]);
    return found.map(container);
  }

  prepare({ plan, signal, log }: StartRequest): Promise<void> {
    return this.#images(plan, signal, log);
  }

  async start(request: StartRequest): Promise<void> {
    const { plan, project, signal, log } = request;
    await endStaleCompose(request.dir, project);
    const limits = { ...request.limits, cpus: Math.min(request.limits.cpus, this.hostCpus) };
    const parent = await this.cgroups.prepare(project, limits);
    const extra: { [key: string]: Out } = {
      ...(parent ? { cgroup_parent: parent } : {}),
      ...((await this.#canBoundLayers(plan)) ? { storage_opt: { size: `${request.disk_gb}G` } } : {}),
    };
    const inherited = await inheritedLabels(this.api, plan);
    const labels = { [LABEL_TEEPOD]: this.teepodId, [LABEL_VM]: request.vm_id };
    this.#capCpus(plan);
    const files = await writeConfigFiles(request.dir, plan.configs);
    const before = anonymousVolumes(await this.#of(request.vm_id));

    for (let attempt = 1; ; attempt++) {
      if (signal.aborted) throw new ComposeFailed('stopped while starting containers');
      const subnets = await this.#subnets(request.vm_id, project, plan);
      try {
        await runCompose({
          command: this.composeCommand,
          dockerHost: this.api.host,
          project,
          dir: request.dir,
          args: ['up', '-d', '--no-build', '--remove-orphans', ...(attempt > 1 ? ['--force-recreate'] : [])],
          document: writeYaml(composeDocument(plan, labels, extra, subnets, inherited, files)),
          timeoutMs: UP_TIMEOUT_MS,
          signal,
          log,
          redact: request.redact,
        });
        await dropOtherConfigFiles(request.dir, files);
        await this.#dropUnused(request.vm_id, before);
        return;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (signal.aborted || attempt >= ATTEMPTS || !RETRY.test(message)) throw error;
        log(`retrying after: ${message}`);
        // Networks may have outdated options, and containers may be half created. Only volumes hold data.
        await this.#removeContainers(request.vm_id, carriers(await this.#of(request.vm_id)));
        await this.#removeNetworks(request.vm_id);
      } finally {
        this.#reserved.delete(request.vm_id);
      }
    }
  }

  async kill(vmId: string): Promise<void> {
    const mine = await this.#of(vmId);
    await Promise.all(
      mine
        .filter((one) => !['exited', 'created', 'dead'].includes(one.State))
        .map((one) => this.api.kill(one.Id)),
    );
    await this.#settle(vmId);
  }

  async stop(vmId: string, graceSeconds: number): Promise<void> {
    const stop = async ({ Id }: ContainerSummary): Promise<void> => {
      const { Config } = await this.api.inspect(Id);
      await this.api.stop(Id, Math.min(Config.StopTimeout ?? graceSeconds, MAX_GRACE_SECONDS));
    };
    for (const group of stopOrder(await this.#of(vmId))) await Promise.all(group.map(stop));
    await this.#settle(vmId);
  }

  async remove(vmId: string, project: string): Promise<void> {
    const anonymous = anonymousVolumes(await this.#of(vmId));
    const named = (await this.api.volumes([`${LABEL_VM}=${vmId}`])).map((volume) => volume.Name);
    await this.#removeContainers(vmId);
    for (const name of [...anonymous, ...named]) await this.api.removeVolume(name);
    await this.#removeNetworks(vmId);
    await this.cgroups.remove(project);
    this.#cpu.forget(vmId);
  }

  logs(one: EngineContainer, query: LogQuery, signal: AbortSignal): AsyncIterable<LogChunk> {
    return dockerLogs(this.api, one.id, query, signal);
  }

  /** Concurrent calls share a result: in the wrong order, an older count looks like a restarted container. */
  usage(vmId: string): Promise<Usage> {
    const running = this.#usages.get(vmId) ?? this.#usage(vmId).finally(() => this.#usages.delete(vmId));
    this.#usages.set(vmId, running);
    return running;
  }

  async #usage(vmId: string): Promise<Usage> {
    const running = (await this.#of(vmId)).filter((one) => one.State === 'running');
    const [parts, disk_bytes] = await Promise.all([
      Promise.all(running.map(async (one) => ({ id: one.Id, ...(await containerUsage(this.api, one)) }))),
      this.#disk.of(vmId),
    ]);
    return {
      cpu_us: this.#cpu.advance(vmId, parts),
      disk_bytes,
      memory_bytes: parts.reduce((sum, part) => sum + part.memory_bytes, 0),
      interfaces: parts.flatMap((part) => part.interfaces),
    };
  }

  diskUse(vmId: string): number | undefined {
    return this.#disk.known(vmId);
  }

  async endpoint(vmId: string, port: PortPlan): Promise<{ host: string; port: number } | undefined> {
    for (const one of await this.#of(vmId)) {
      if (one.Labels[LABEL_SERVICE] !== port.service || one.State !== 'running') continue;
      const { NetworkSettings } = await this.api.inspect(one.Id);
      const published = NetworkSettings.Ports?.[`${port.container_port}/${port.protocol}`]?.[0];
      if (published) return { host: '127.0.0.1', port: Number(published.HostPort) };
    }
    return undefined;
  }

  #of(vmId: string): Promise<ContainerSummary[]> {
    return this.api.containers([`${LABEL_TEEPOD}=${this.teepodId}`, `${LABEL_VM}=${vmId}`]);
  }

  /** Waits until the engine's list shows the containers as stopped: kill and stop return earlier. */
  async #settle(vmId: string): Promise<void> {
    const deadline = Date.now() + 15_000;
    while ((await this.#of(vmId)).some((one) => ['running', 'restarting', 'paused'].includes(one.State))) {
      if (Date.now() > deadline) throw new Error('containers did not stop');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #removeContainers(vmId: string, except: readonly ContainerSummary[] = []): Promise<void> {
    const kept = new Set(except.map((one) => one.Id));
    const rest = (await this.#of(vmId)).filter((one) => !kept.has(one.Id));
    await Promise.all(rest.map((one) => this.api.remove(one.Id)));
  }

  async #removeNetworks(vmId: string): Promise<void> {
    const remaining = await this.#of(vmId);
    for (const network of await this.api.networks([`${LABEL_VM}=${vmId}`])) {
      for (const one of remaining) await this.api.disconnect(network.Id, one.Id);
      await this.api.removeNetwork(network.Id);
    }
  }

  /** Compose leaves the anonymous volumes of services that an update removed: nothing can mount them again. */
  async #dropUnused(vmId: string, before: ReadonlySet<string>): Promise<void> {
    if (before.size === 0) return;
    const used = anonymousVolumes(await this.#of(vmId));
    for (const name of before)
      if (!used.has(name))
        await this.api
          .removeVolume(name)
          .catch((error: unknown) =>
            say('warn', "couldn't remove a volume", { name, reason: String(error) }),
          );
  }

  async #images(plan: ComposePlan, signal: AbortSignal, log: (line: string) => void): Promise<void> {
    const wanted = new Map(plan.services.map((service) => [service.image, service]));
    for (const [image, { pull: policy, definition }] of wanted) {
      if (signal.aborted) return;
      const platform = typeof definition['platform'] === 'string' ? definition['platform'] : undefined;
      const found = await this.api.image(image);
      const present = found !== undefined && fits(found, platform);
      if (present && policy !== 'always') continue;
      if (!present && policy === 'never')
        throw new ComposeFailed(`image ${image} is not on this machine and pull_policy is never`);
      const refusal = await this.registries.refusal(image);
      if (refusal !== undefined) {
        if (!present) throw new ComposeFailed(refusal);
        log(`${refusal}; using the copy on this machine`);
        continue;
      }
      log(`pulling ${image}`);
      try {
        await this.#pull(image, platform, signal);
      } catch (error) {
        if (signal.aborted) throw error;
        // The engine's reason would reveal the operator's network to a tenant.
        say('warn', "couldn't pull an image", { image, reason: String(error) });
        if (present) log(`could not pull ${image}; using the copy on this machine`);
        else
          throw new ComposeFailed(
            error instanceof PullLimit
              ? `couldn't pull image ${image}: ${error.message}. Use a smaller image.`
              : `couldn't pull image ${image}. Check its name and tag, and that it is public.`,
          );
      }
    }
  }

  /** Two CVMs that need the same image share one pull; a stopped boot does not wait for it. */
  #pull(image: string, platform: string | undefined, signal: AbortSignal): Promise<void> {
    const key = `${image} ${platform ?? ''}`;
    const running =
      this.#pulls.get(key) ??
      this.api.pull(image, PULL_TIMEOUT_MS, MAX_IMAGE_BYTES, platform).finally(() => this.#pulls.delete(key));
    this.#pulls.set(key, running);
    return new Promise((resolve, reject) => {
      const stop = (): void => reject(new ComposeFailed('stopped while pulling images'));
      // Possibly aborted while the engine or a registry was queried: the event doesn't fire again.
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      running.then(resolve, reject);
    });
  }

  /** Cached, because the check needs an image. */
  #canBoundLayers(plan: ComposePlan): Promise<boolean> {
    const [first] = plan.services;
    this.#boundLayers ??= first && this.api.canBoundLayers(first.image);
    // Kept only if the engine replied: one that was restarting must not fail every later boot.
    this.#boundLayers?.catch(() => (this.#boundLayers = undefined));
    return this.#boundLayers ?? Promise.resolve(false);
  }

  /** The engine rejects more CPUs than the machine has. */
  #capCpus(plan: ComposePlan): void {
    for (const { definition } of plan.services)
      definition['cpus'] = Math.min(Number(definition['cpus']), this.hostCpus);
  }

  /** Existing networks keep their addresses; new ones get free ones. */
  #subnets(vmId: string, project: string, plan: ComposePlan): Promise<Map<string, string>> {
    return this.#addresses(async () => {
      const all = await this.api.networks([]);
      const subnetOf = (network: (typeof all)[number]): string[] =>
        (network.IPAM?.Config ?? []).flatMap((config) => config.Subnet ?? []);
      const result = new Map<string, string>();
      const missing: string[] = [];
      for (const name of Object.keys(usedNetworks(plan))) {
        const existing = all.find((network) => network.Name === `${project}_${name}`);
        const subnet = existing && subnetOf(existing)[0];
        if (subnet) result.set(name, subnet);
        else missing.push(name);
      }
      const taken = [...all.flatMap(subnetOf), ...[...this.#reserved.values()].flat()];
      const free = freeSubnets(missing.length, taken);
      missing.forEach((name, index) => result.set(name, free[index] ?? ''));
      this.#reserved.set(vmId, free);
      return result;
    });
  }
}

/** Errors worth retrying after cleanup: leftovers of a killed run, address conflicts, changed options. */
const RETRY =
  /Conflict|already in use|already exists|Pool overlaps|needs to be recreated|network .* not found|No such (container|network)|marked for removal|has active endpoints|address already in use/i;

function anonymousVolumes(containers: readonly ContainerSummary[]): Set<string> {
  const mounts = containers.flatMap((one) => one.Mounts ?? []);
  const names = mounts.flatMap(({ Type, Name }) => (Type === 'volume' && Name ? [Name] : []));
  return new Set(names.filter((name) => /^[0-9a-f]{64}$/.test(name)));
}

/**
 * Returns the containers from which Compose takes over anonymous volumes: the oldest of each service and number,
 * as a run that was cut off may have created its successor.
 */
function carriers(containers: readonly ContainerSummary[]): ContainerSummary[] {
  const oldest = new Map<string, ContainerSummary>();
  for (const one of containers.toSorted((a, b) => a.Created - b.Created)) {
    const key = `${one.Labels[LABEL_SERVICE]} ${one.Labels['com.docker.compose.container-number']}`;
    const usable = !['removing', 'dead'].includes(one.State) && anonymousVolumes([one]).size > 0;
    if (usable && !oldest.has(key)) oldest.set(key, one);
  }
  return [...oldest.values()];
}

/** @param platform `os/architecture[/variant]` of a Compose file */
function fits({ Os, Architecture }: ImageDetail, platform: string | undefined): boolean {
  const known = platform?.replace('/x86_64', '/amd64').replace('/aarch64', '/arm64');
  return known === undefined || Os === undefined || `${known}/`.startsWith(`${Os}/${Architecture}/`);
}

function container(summary: ContainerSummary): EngineContainer {
  return {
    id: summary.Id,
    vm_id: summary.Labels[LABEL_VM] ?? '',
    service: summary.Labels[LABEL_SERVICE] ?? '',
    image: summary.Image,
    image_id: summary.ImageID,
    created: summary.Created,
    state: summary.State,
    status: summary.Status,
    index: Number(summary.Labels['com.docker.compose.container-number'] ?? 1),
  };
}
