/** The few Docker Engine API calls the teepod needs, over its Unix socket. Every call has a timeout. */
import { request, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';

/** API version supported by every engine since 20.10 (2020); the first with one-shot statistics. */
const VERSION = '/v1.41';

class DockerError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface ContainerSummary {
  Id: string;
  Names: string[];
  Image: string;
  ImageID: string;
  Created: number;
  State: string;
  Status: string;
  Labels: Record<string, string>;
  /** A volume has a name; an anonymous one has an ID as its name. */
  Mounts?: { Type: string; Name?: string }[];
  NetworkSettings?: { Networks?: Record<string, { IPAddress?: string; IPPrefixLen?: number }> | null };
}

export interface ContainerStats {
  /** nanoseconds */
  cpu_stats?: { cpu_usage?: { total_usage?: number } };
  memory_stats?: { usage?: number; stats?: Record<string, number> };
  networks?: Record<string, { rx_bytes: number; tx_bytes: number; rx_errors: number; tx_errors: number }>;
}

export interface ContainerDetail {
  Id: string;
  Name: string;
  State: {
    Status: string;
    Running: boolean;
    ExitCode: number;
    StartedAt: string;
    FinishedAt: string;
    OOMKilled: boolean;
  };
  Config: {
    Tty: boolean;
    Labels: Record<string, string>;
    Env: string[] | null;
    /** seconds; from the Compose file's `stop_grace_period` */
    StopTimeout?: number | null;
  };
  HostConfig: {
    Binds: string[] | null;
    Memory: number;
    NanoCpus: number;
    PidsLimit: number | null;
    CgroupParent: string;
  };
  NetworkSettings: { Ports: Record<string, { HostIp: string; HostPort: string }[] | null> | null };
}

/** The image exceeds a limit; the message is for the tenant. */
export class PullLimit extends Error {}

export interface ImageDetail {
  Os?: string;
  Architecture?: string;
  Config?: { Labels?: Record<string, string> | null } | null;
}

interface PullReport {
  status?: string;
  /** Progress of a layer. */
  id?: string;
  error?: string;
  progressDetail?: { total?: number };
}

interface CallOptions {
  body?: unknown;
  timeoutMs?: number;
}

export class DockerApi {
  readonly #target: { socketPath: string } | { host: string; port: number };

  constructor(readonly socket: string) {
    if (socket.startsWith('tcp://')) {
      const url = new URL(socket.replace('tcp://', 'http://'));
      this.#target = { host: url.hostname, port: Number(url.port || 2375) };
    } else {
      this.#target = { socketPath: socket };
    }
  }

  /** DOCKER_HOST value with which a command reaches the same engine. */
  get host(): string {
    return this.socket.startsWith('tcp://') ? this.socket : `unix://${this.socket}`;
  }

  async version(): Promise<string> {
    const answer = await this.json<{ Version?: string }>('GET', '/version', { timeoutMs: 5_000 });
    return answer.Version ?? 'unknown';
  }

  info(): Promise<{
    CgroupDriver?: string;
    CgroupVersion?: string;
    OperatingSystem?: string;
    NCPU?: number;
    MemTotal?: number;
  }> {
    return this.json('GET', '/info', { timeoutMs: 20_000 });
  }

  /** Returns all containers, including stopped ones, that carry every one of the labels (`name=value`). */
  containers(labels: string[]): Promise<ContainerSummary[]> {
    return this.json('GET', `/containers/json?all=1&filters=${filter({ label: labels })}`);
  }

  inspect(id: string): Promise<ContainerDetail> {
    return this.json('GET', `/containers/${encodeURIComponent(id)}/json`);
  }

  async kill(id: string): Promise<void> {
    await this.#ignoring([304, 404, 409], 'POST', `/containers/${encodeURIComponent(id)}/kill`);
  }

  /** SIGTERM, then SIGKILL after `graceSeconds`. */
  async stop(id: string, graceSeconds: number): Promise<void> {
    const timeoutMs = graceSeconds * 1000 + 30_000;
    await this.#ignoring([304, 404], 'POST', `/containers/${encodeURIComponent(id)}/stop?t=${graceSeconds}`, {
      timeoutMs,
    });
  }

  /** With its anonymous volumes, except those it took over from an earlier container. */
  async remove(id: string): Promise<void> {
    await this.#ignoring([404, 409], 'DELETE', `/containers/${encodeURIComponent(id)}?force=1&v=1`, {
      timeoutMs: 60_000,
    });
  }

  networks(
    labels: string[],
  ): Promise<{ Id: string; Name: string; IPAM?: { Config?: { Subnet?: string }[] | null } }[]> {
    return this.json('GET', `/networks?filters=${filter(labels.length ? { label: labels } : {})}`);
  }

  /** Also a container that doesn't run, which otherwise keeps the network from being removed. */
  async disconnect(network: string, container: string): Promise<void> {
    const path = `/networks/${encodeURIComponent(network)}/disconnect`;
    // 403 and 404: it isn't connected. Engines report that as 500, too.
    await this.#ignoring([403, 404, 500], 'POST', path, { body: { Container: container, Force: true } });
  }

  async removeNetwork(id: string): Promise<void> {
    await this.#ignoring([404], 'DELETE', `/networks/${encodeURIComponent(id)}`);
  }

  async volumes(labels: string[]): Promise<{ Name: string }[]> {
    const answer = await this.json<{ Volumes: { Name: string }[] | null }>(
      'GET',
      `/volumes?filters=${filter({ label: labels })}`,
    );
    return answer.Volumes ?? [];
  }

  async removeVolume(name: string): Promise<void> {
    await this.#ignoring([404], 'DELETE', `/volumes/${encodeURIComponent(name)}?force=1`);
  }

  /** Returns undefined if the engine doesn't have the image. */
  async image(reference: string): Promise<ImageDetail | undefined> {
    try {
      return await this.json('GET', `/images/${reference.split('/').map(encodeURIComponent).join('/')}/json`);
    } catch (error) {
      if (error instanceof DockerError && error.status === 404) return undefined;
      throw error;
    }
  }

  /**
   * Pulls without any of the operator's registry credentials. The engine reports failures inside a 200
   * stream, and ends the pull when this connection closes.
   * @param platform `os/architecture`; the machine's own if undefined
   * @throws {PullLimit}
   */
  async pull(reference: string, timeoutMs: number, maxBytes: number, platform?: string): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      await this.#pull(reference, maxBytes, platform, signal);
    } catch (error) {
      if (signal.aborted) throw new PullLimit(`it takes more than ${timeoutMs / 60_000} minutes`);
      throw error;
    }
  }

  async #pull(
    reference: string,
    maxBytes: number,
    platform: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const named = /[:@][^/]+$/.test(reference) ? reference : `${reference}:latest`;
    const path = `/images/create?fromImage=${encodeURIComponent(named)}${platform ? `&platform=${encodeURIComponent(platform)}` : ''}`;
    const layers = new Map<string, number>();
    const lines = createInterface({ input: await this.stream('POST', path, signal) });
    for await (const line of lines) {
      const report = JSON.parse(line) as PullReport;
      if (report.error !== undefined) throw new DockerError(502, report.error);
      if (report.status !== 'Downloading' || !report.id) continue;
      layers.set(report.id, report.progressDetail?.total ?? 0);
      const total = [...layers.values()].reduce((sum, bytes) => sum + bytes, 0);
      if (total > maxBytes) {
        lines.close();
        throw new PullLimit(`it is larger than ${maxBytes / 2 ** 30} GB`);
      }
    }
  }

  /**
   * Returns whether the engine can limit a container's writable layer. Only some storage drivers on some file
   * systems can.
   */
  async canBoundLayers(image: string): Promise<boolean> {
    const body = { Image: image, Cmd: ['true'], HostConfig: { StorageOpt: { size: '1G' } } };
    try {
      const { Id } = await this.json<{ Id: string }>('POST', '/containers/create', { body });
      await this.remove(Id);
      return true;
    } catch (error) {
      if (error instanceof DockerError) return false;
      throw error;
    }
  }

  /** Returns an open response, which the caller must read or destroy. */
  stream(method: string, path: string, signal?: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const req = request({ ...this.#target, method, path: VERSION + path, signal }, (res) => {
        if ((res.statusCode ?? 500) < 400) return resolve(res);
        read(res).then((text) => reject(new DockerError(res.statusCode ?? 500, messageOf(text))), reject);
      });
      req.on('error', reject);
      req.end();
    });
  }

  async json<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
    const text = await this.#text(method, path, options);
    return JSON.parse(text) as T;
  }

  async #ignoring(
    statuses: number[],
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<void> {
    try {
      await this.#text(method, path, options);
    } catch (error) {
      if (!(error instanceof DockerError && statuses.includes(error.status))) throw error;
    }
  }

  #text(method: string, path: string, { body, timeoutMs = 30_000 }: CallOptions): Promise<string> {
    return new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const req = request(
        {
          ...this.#target,
          method,
          path: VERSION + path,
          headers: payload
            ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
            : {},
          signal: AbortSignal.timeout(timeoutMs),
        },
        (res) => {
          read(res).then((text) => {
            const status = res.statusCode ?? 500;
            // 304 "already in that state" is a reply callers list when they accept it.
            if (status >= 300)
              reject(new DockerError(status, messageOf(text) || `Docker returned status ${status}`));
            else resolve(text);
          }, reject);
        },
      );
      req.on('error', (error) => {
        const timedOut = error.name === 'AbortError' || error.name === 'TimeoutError';
        reject(
          timedOut
            ? new DockerError(504, `the Docker engine did not respond within ${timeoutMs / 1000} s`)
            : error,
        );
      });
      req.end(payload);
    });
  }
}

async function read(res: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of res) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function messageOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (value && typeof value === 'object' && 'message' in value) return String(value.message);
  } catch {
    // Not JSON: the text itself is the message.
  }
  return text.trim();
}

function filter(value: Record<string, string[]>): string {
  return encodeURIComponent(JSON.stringify(value));
}
