/**
 * Runs the Compose command (v2 or v1) with the whole file on standard input, so nothing decrypted touches the
 * disk.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface ComposeRun {
  command: string[];
  dockerHost: string;
  project: string;
  dir: string;
  args: string[];
  document: string;
  timeoutMs: number;
  signal: AbortSignal;
  log(line: string): void;
  /** Removes secrets from the error, before it is cut. */
  redact(text: string): string;
}

export class ComposeFailed extends Error {}

/** Bytes of output kept for boot_error. */
const TAIL = 2_000;

/** @throws {ComposeFailed} with the end of the command's output. */
export async function runCompose(run: ComposeRun): Promise<void> {
  // Excludes the server's environment and the operator's registry logins and proxies (in DOCKER_CONFIG).
  const home = join(run.dir, 'home');
  const empty = join(run.dir, 'empty');
  for (const path of [home, empty]) await mkdir(path, { recursive: true, mode: 0o700 });
  const [program = 'docker-compose', ...first] = run.command;
  const child = spawn(program, [...first, '-p', run.project, '-f', '-', ...run.args], {
    cwd: empty, // without an .env file
    // Its own process group, so that an abort, or the next start after kill -9, also ends its helpers.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      LANG: 'C.UTF-8',
      DOCKER_HOST: run.dockerHost,
      DOCKER_CONFIG: home,
      COMPOSE_ANSI: 'never',
      COMPOSE_PROGRESS: 'plain',
      COMPOSE_INTERACTIVE_NO_CLI: '1',
      COMPOSE_HTTP_TIMEOUT: '300',
    },
  });
  const pidFile = join(run.dir, 'compose.pid');
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  let tail = '';
  const collect = (line: string): void => {
    // Cut first, a secret would lose its start and no longer be recognized.
    tail = `${tail}${run.redact(line)}\n`.slice(-TAIL);
    if (line.trim()) run.log(line.trimEnd());
  };
  // By line: a secret that arrives in two pieces would escape redaction.
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', collect);
  child.stdin.on('error', () => undefined); // It may exit before reading everything; its exit code tells why.
  const end = (): void => killGroup(child.pid);
  const timer = setTimeout(end, run.timeoutMs);
  let timedOut = false;
  const mark = setTimeout(() => (timedOut = true), run.timeoutMs);
  run.signal.addEventListener('abort', end, { once: true });
  try {
    if (child.pid) await writeFile(pidFile, String(child.pid));
    child.stdin.end(run.document);
    const code = await exit;
    if (run.signal.aborted) throw new ComposeFailed('stopped while starting containers');
    if (timedOut) throw new ComposeFailed(`docker compose did not finish within ${run.timeoutMs / 1000} s`);
    if (code !== 0)
      throw new ComposeFailed(lastWords(tail) || `docker compose exited with code ${code ?? 'unknown'}`);
  } finally {
    clearTimeout(timer);
    clearTimeout(mark);
    run.signal.removeEventListener('abort', end);
    await rm(pidFile, { force: true });
  }
}

/** After a kill -9 of the teepod, its Compose command may still be creating containers. */
export async function endStaleCompose(dir: string, project: string): Promise<void> {
  const pidFile = join(dir, 'compose.pid');
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => '0'));
  if (!(pid > 1)) return;
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline && (await isCompose(pid, project))) {
    killGroup(pid);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await rm(pidFile, { force: true });
}

async function isCompose(pid: number, project: string): Promise<boolean> {
  const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return args.split('\0').includes(project);
}

function killGroup(pid: number | undefined): void {
  if (!pid) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

function lastWords(output: string): string {
  const lines = output.split(/[\r\n]+/).map((line) => line.trim());
  const telling = lines.filter(
    (line) =>
      line &&
      !/^(Creating|Starting|Recreating|Pulling|Container|Network|Volume|Attaching)\b.*(\.\.\.|Creat|Start|done|Running|Waiting)/i.test(
        line,
      ),
  );
  return (telling.length > 0 ? telling : lines.filter(Boolean)).slice(-6).join(' | ').slice(-1_000);
}
