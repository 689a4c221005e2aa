/** Files that survive kill -9 and power loss intact. */
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

let serial = 0;

/** Writes a temporary file, syncs, renames, syncs the directory: readers see the old text or the new one. */
export async function writeDurable(path: string, text: string, mode = 0o600): Promise<void> {
  const temporary = `${path}.${process.pid}.${serial++}.tmp`;
  try {
    const file = await open(temporary, 'w', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** Makes renames and deletions in a directory durable, except on platforms that can't (Windows). */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}
