import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the files below a directory that contain a text. Ignores files deleted in the meantime. */
export async function filesWith(root: string, text: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readIfExists(path)).includes(text)) found.push(path);
  }
  return found;
}

async function readIfExists(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
