/** For tests: a teepod in this process or a separate one, and a client that calls it as the driver does. */
import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealEnv } from '../../../console/lib/secrets/seal';
import { ROOT } from '../../root';
import { ensureDocker, removeTeepodContainers } from '../../tools/docker';
import { readConfig } from '../config';
import { startTeepod, type Teepod } from '../server';
import type { VmInfo } from '../vmInfo';

/** Uses the teepod built by `npm test`, which starts faster than the sources. */
export const TEEPOD = process.env.TEST_BUILT
  ? { file: join(ROOT, 'dist/server/teepod/main.js'), execArgv: ['--enable-source-maps'] }
  : { file: join(import.meta.dirname, '../main.ts'), execArgv: ['--import', 'tsx'] };

export const BUSYBOX = 'localhost/teehouse-busybox:latest';

/** Directories of teepods that run containers. */
const withContainers = new Set<string>();

/** Its removal also removes the teepod's containers, which outlive the teepod and, after a failed test, would keep running. */
export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'teepod-test-'));
  return {
    path,
    async remove() {
      if (withContainers.delete(path)) await removeContainers(path);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeContainers(dir: string): Promise<void> {
  const docker = await ensureDocker();
  const id = await readFile(join(dir, 'id'), 'utf8').catch(() => null);
  if (id !== null && 'socket' in docker) await removeTeepodContainers(docker.socket, id.trim());
}

export function startInProcess(dir: string, env: Record<string, string> = {}): Promise<Teepod> {
  if (env['TEEPOD_ENGINE'] === 'docker') withContainers.add(dir);
  return startTeepod(readConfig({ TEEPOD_DIR: dir, TEEPOD_POLL_MS: '50', ...env }));
}

export interface Spawned {
  child: ChildProcess;
  listen: string;
  gateway_port: number;
  engine: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export async function spawnTeepod(dir: string, env: Record<string, string> = {}): Promise<Spawned> {
  if (env['TEEPOD_ENGINE'] === 'docker') withContainers.add(dir);
  const child = fork(TEEPOD.file, [], {
    execArgv: TEEPOD.execArgv,
    env: { PATH: process.env['PATH'] ?? '', TEEPOD_DIR: dir, TEEPOD_POLL_MS: '100', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = await new Promise<{ listen: string; gateway_port: number; engine: string }>(
    (resolve, reject) => {
      child.once(
        'message',
        (message: { ready: boolean; listen: string; gateway_port: number; engine: string }) =>
          message.ready ? resolve(message) : reject(new Error(output)),
      );
      child.once('exit', () => reject(new Error(`teepod ended: ${output}`)));
    },
  );
  return {
    child,
    ...ready,
    kill: async (signal = 'SIGKILL') => {
      child.kill(signal);
      await exit;
    },
  };
}

export class Client {
  constructor(
    readonly base: string,
    readonly headers: Record<string, string> = {},
  ) {}

  open(
    path: string,
    options: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const target = this.base.startsWith('unix:')
        ? { socketPath: this.base.slice(5) }
        : { host: new URL(this.base).hostname, port: new URL(this.base).port };
      const headers = { ...this.headers, ...options.headers };
      const req = request(
        { ...target, path, method: options.method ?? 'GET', headers, agent: false },
        resolve,
      );
      req.on('error', reject);
      req.end(options.body);
    });
  }

  async text(
    path: string,
    options: { method?: string; body?: string; headers?: Record<string, string> } = {},
  ): Promise<{ status: number; body: string; headers: IncomingMessage['headers'] }> {
    const res = await this.open(path, options);
    const chunks: Buffer[] = [];
    for await (const chunk of res) chunks.push(chunk as Buffer);
    return {
      status: res.statusCode ?? 0,
      body: Buffer.concat(chunks).toString('utf8'),
      headers: res.headers,
    };
  }

  async raw(path: string, body: unknown): Promise<{ status: number; body: unknown }> {
    const { status, body: text } = await this.text(`${path}?json`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return { status, body: text === '' ? undefined : JSON.parse(text) };
  }

  /** Rejects with the host's error text. */
  async rpc<T>(method: string, body: unknown = {}): Promise<T> {
    const path = method.startsWith('/') ? method : `/prpc/${method}`;
    const { status, body: reply } = await this.raw(path, body);
    if (status !== 200) throw new Error((reply as { error?: string }).error ?? `status ${status}`);
    return reply as T;
  }

  async create(
    compose: string,
    more: Record<string, unknown> = {},
    app: Record<string, unknown> = {},
  ): Promise<string> {
    const { id } = await this.rpc<{ id: string }>('CreateVm', vmConfig(compose, more, app));
    return id;
  }

  async info(id: string): Promise<VmInfo> {
    const { info } = await this.rpc<{ found: boolean; info: VmInfo }>('GetInfo', { id });
    return info;
  }

  async seal(appId: string, env: { key: string; value: string }[]): Promise<string> {
    const { public_key } = await this.rpc<{ public_key: string }>('GetAppEnvEncryptPubKey', {
      app_id: appId,
    });
    return sealEnv(env, public_key);
  }

  /** Boot finished or failed. */
  booted(id: string): Promise<VmInfo> {
    return until(`VM ${id} to boot`, async () => {
      const info = await this.info(id);
      return info.boot_progress === 'done' || info.boot_error !== '' ? info : undefined;
    });
  }

  status(id: string, wanted: string): Promise<VmInfo> {
    return until(`VM ${id} to be ${wanted}`, async () => {
      const info = await this.info(id);
      return info.status === wanted ? info : undefined;
    });
  }

  async remove(id: string): Promise<void> {
    await this.rpc('RemoveVm', { id });
    await this.gone(id);
  }

  gone(id: string): Promise<true> {
    return until(`VM ${id} to be gone`, async () =>
      (await this.rpc<{ found: boolean }>('GetInfo', { id })).found ? undefined : true,
    );
  }
}

export function appCompose(dockerCompose: string, more: Record<string, unknown> = {}): string {
  return JSON.stringify({
    manifest_version: 2,
    name: 'test',
    runner: 'docker-compose',
    docker_compose_file: dockerCompose,
    kms_enabled: true,
    gateway_enabled: true,
    public_logs: true,
    allowed_envs: [],
    ...more,
  });
}

export function vmConfig(
  compose: string,
  more: Record<string, unknown> = {},
  app: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    name: 'test-vm',
    image: 'dstack-local-0.6.0',
    compose_file: appCompose(compose, app),
    vcpu: 1,
    memory: 128,
    disk_size: 10,
    ...more,
  };
}

export async function until<T>(
  what: string,
  probe: () => Promise<T | undefined>,
  timeoutMs = 60_000,
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const result = await probe();
    if (result !== undefined) return result;
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
