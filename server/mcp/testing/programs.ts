import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { parse } from 'yaml';
import { templatesIn } from '../../drivers/templates';
import { ROOT } from '../../root';
import { freePort } from '../../tools/postgres';

/** Runs the programs as deployed by the templates: extracted from their Compose files. */

/** The owner's key. */
export const KEY = randomBytes(20).toString('hex');
export const templates = templatesIn([path.join(ROOT, 'server/templates')], { warn: () => undefined });
const children: ChildProcess[] = [];

export function stopPrograms(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}

function commandOf(id: string): string[] {
  const file = parse(templates.find(id)?.compose_file ?? '') as {
    services: { server: { command: string[] } };
  };
  return file.services.server.command.slice(1).map((one) => one.replaceAll('$$', () => '$'));
}

/** Starts a template's program with its files below `folder`. @returns the URL of its MCP path, and its process */
export async function startProgram(
  id: string,
  folder: string,
  env: Record<string, string> = {},
): Promise<{ url: URL; child: ChildProcess }> {
  const args = commandOf(id).map((one) =>
    one
      .replaceAll('"/data"', JSON.stringify(folder))
      .replaceAll('"/var/run/dstack.sock"', JSON.stringify(path.join(folder, 'agent.sock'))),
  );
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, MCP_KEY: KEY, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  await once(child.stdout, 'data');
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), child };
}

/** Runs a template's program until it exits. @returns its output */
export async function exitOf(
  id: string,
  env: Record<string, string>,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, commandOf(id), { env: { PATH: process.env.PATH, ...env } });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (said += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
