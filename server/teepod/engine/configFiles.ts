import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folderOf = (dir: string): string => join(dir, 'configs');

/**
 * Writes configs below a CVM's directory. Files are named by content, so that a changed config is a different
 * mount and Compose replaces the container.
 * @returns the path of each config, by name
 */
export async function writeConfigFiles(
  dir: string,
  configs: Readonly<Record<string, string>>,
): Promise<Map<string, string>> {
  const folder = folderOf(dir);
  const files = new Map<string, string>();
  for (const [name, content] of Object.entries(configs)) {
    const file = join(folder, createHash('sha256').update(content).digest('hex'));
    await mkdir(folder, { recursive: true, mode: 0o755 });
    // Written atomically: a kill -9 must not leave a partial file to be mounted.
    await writeFile(`${file}.draft`, content, { mode: 0o444 });
    await rename(`${file}.draft`, file);
    files.set(name, file);
  }
  return files;
}

/** Removes the files of earlier versions, which no container mounts anymore. */
export async function dropOtherConfigFiles(dir: string, kept: ReadonlyMap<string, string>): Promise<void> {
  const folder = folderOf(dir);
  const names = await readdir(folder).catch(() => []);
  const wanted = new Set(kept.values());
  for (const name of names)
    if (!wanted.has(join(folder, name))) await rm(join(folder, name), { force: true });
}
