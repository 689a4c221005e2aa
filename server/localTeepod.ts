import { fork, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from './config';
import { FROM_SOURCE, ROOT } from './root';

export interface LocalTeepodReady {
  listen: string;
  gateway_port: number;
  engine: 'docker' | 'simulated';
  /** Its machine's device ID, 64 hex digits. */
  device_id: string;
  /** Contract of its second KMS; null without one. */
  kms_contract: { address: string; chain_id: number } | null;
}

export interface LocalTeepod {
  /** Process ID; changes when it restarts after a crash. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

/** First pause before a failed registration is repeated; it doubles up to the longest. */
const REGISTER_AGAIN_MS = 500;
const MAX_PAUSE_MS = 10_000;

/**
 * Keeps the built-in local teepod running alongside the server. It is a separate process so that a crash of one
 * doesn't take down the other. It restarts when it dies and exits when this process does, for any reason.
 * @param onReady registers it; repeated until it succeeds
 * @param kms_webhook URL its KMS queries before releasing keys; without one, every boot gets them
 */
export function superviseLocalTeepod(
  config: Pick<Config, 'dataDir' | 'localTeepod' | 'chains'>,
  log: Logger,
  onReady: (ready: LocalTeepodReady) => Promise<void>,
  kms_webhook = '',
): LocalTeepod {
  const dir = join(config.dataDir, 'teepod');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const inPlace = join(dir, 'vmm.sock');
  // A Unix socket's path has at most 107 bytes; a deep DATA_DIR gets a short path elsewhere.
  const socket = inPlace.length <= 100 ? inPlace : join(mkdtempSync(join(tmpdir(), 'teehouse-')), 'vmm.sock');
  let child: ChildProcess | undefined;
  const halt = new AbortController();
  let pause = 250;
  let timer: NodeJS.Timeout | undefined;
  let registration: Promise<void> | undefined;

  /** Registers a running teepod. A database that is away for a moment must not leave it unregistered until it restarts. */
  const register = async (ready: LocalTeepodReady, of: ChildProcess): Promise<void> => {
    for (let again = REGISTER_AGAIN_MS; ; again = Math.min(again * 2, MAX_PAUSE_MS)) {
      try {
        return await onReady(ready);
      } catch (error) {
        // Stopped before it could answer.
        if (halt.signal.aborted) return;
        log.error({ err: error, again_in_ms: again }, "couldn't register the local teepod; retrying");
      }
      await wait(again, undefined, { signal: halt.signal }).catch(() => undefined);
      if (halt.signal.aborted || of !== child) return;
    }
  };

  const start = () => {
    const { engine, registries, maxCvms, vcpu, memoryMb } = config.localTeepod;
    const began = Date.now();
    const { PATH, HOME, DOCKER_HOST } = process.env;
    const one = fork(entry(), [], {
      execArgv: FROM_SOURCE ? ['--import', 'tsx'] : ['--enable-source-maps'],
      cwd: ROOT,
      // Passes only required variables, because tenants' containers are started from there.
      env: {
        PATH,
        ...(HOME ? { HOME } : {}),
        ...(DOCKER_HOST ? { DOCKER_HOST } : {}),
        TEEPOD_DIR: dir,
        TEEPOD_LISTEN: `unix:${socket}`,
        TEEPOD_ENGINE: engine,
        TEEPOD_REGISTRIES: registries.join(','),
        TEEPOD_MAX_CVMS: String(maxCvms),
        TEEPOD_VCPU: String(vcpu),
        TEEPOD_MEMORY_MB: String(memoryMb),
        TEEPOD_KMS_WEBHOOK: kms_webhook,
        ...contractOf(config),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // A separate process group: Ctrl-C goes to the server, which then stops it gracefully.
      detached: true,
    });
    child = one;
    passOn(one.stdout, 'info', log);
    passOn(one.stderr, 'warn', log);
    one.on('message', (message) => {
      const ready = message as LocalTeepodReady & { ready?: boolean };
      if (!ready.ready) return;
      pause = 250;
      registration = register(ready, one);
    });
    one.once('exit', (code, signal) => {
      if (halt.signal.aborted) return;
      if (Date.now() - began > 10_000) pause = 250;
      log.error({ exit_code: code, signal, again_in_ms: pause }, 'the local teepod exited; restarting it');
      timer = setTimeout(start, pause);
      pause = Math.min(pause * 2, MAX_PAUSE_MS);
    });
    one.once('error', (error) => log.error({ err: error }, "couldn't start the local teepod"));
  };
  start();

  return {
    get pid() {
      return child?.pid;
    },
    async stop() {
      halt.abort();
      clearTimeout(timer);
      const running = child;
      if (running && running.exitCode === null && running.signalCode === null) {
        const ended = new Promise((resolve) => running.once('exit', resolve));
        running.kill('SIGTERM');
        const kill = setTimeout(() => running.kill('SIGKILL'), 10_000);
        await ended;
        clearTimeout(kill);
      }
      if (socket !== inPlace) rmSync(dirname(socket), { recursive: true, force: true });
      // It writes to the database, which closes next.
      await registration;
    },
  };
}

/** Forwards its log lines to ours; lines that aren't its JSON (a crash, for example) are forwarded unchanged. */
function passOn(stream: Readable | null, level: 'info' | 'warn', log: Logger): void {
  if (!stream) return;
  createInterface({ input: stream }).on('line', (line) => {
    if (!line.trim()) return;
    const parsed = jsonLine(line);
    if (!parsed) return log[level]({ name: 'teepod' }, line);
    const { level: own, time: _, msg, ...fields } = parsed;
    log[own === 'error' || own === 'warn' || own === 'debug' ? own : 'info'](fields, String(msg ?? ''));
  });
}

function jsonLine(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return value && typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** The contract is on the local chain: a local teepod is for development. */
function contractOf({ localTeepod, chains }: Pick<Config, 'localTeepod' | 'chains'>): Record<string, string> {
  const chain = chains.find(({ slug }) => slug === 'local');
  if (localTeepod.kmsContract === null || !chain) return {};
  return {
    TEEPOD_KMS_CONTRACT: localTeepod.kmsContract,
    TEEPOD_KMS_CHAIN_ID: String(chain.id),
    TEEPOD_KMS_RPC_URLS: chain.rpcUrls.default.http.join(','),
  };
}

function entry(): string {
  return FROM_SOURCE
    ? fileURLToPath(new URL('./teepod/main.ts', import.meta.url))
    : join(ROOT, 'dist/server/teepod/main.js');
}
