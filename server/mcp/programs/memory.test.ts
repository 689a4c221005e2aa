import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { memoryServer } from './memory';

let folder: string;
let handles: FileHandle;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'teehouse-memory-'));
  const handle = await open(folder, 'r');
  handles = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

const notes = () => path.join(folder, 'notes.jsonl');

async function remember(text: string) {
  const { tools } = await memoryServer(folder);
  return { tools, remember: (more: string) => call(tools, more), first: await call(tools, text) };
}
const call = async (tools: Awaited<ReturnType<typeof memoryServer>>['tools'], text: string) =>
  (await tools.find(({ name }) => name === 'remember')?.call({ text })) as { id: string };
const texts = async () => {
  const { tools } = await memoryServer(folder);
  const found = (await tools.find(({ name }) => name === 'search_notes')?.call({})) as {
    notes: { text: string }[];
  };
  return found.notes.map(({ text }) => text);
};

it('syncs the compacted file before replacing the old one, then its folder, then every note', async () => {
  await remember('old');
  const synced: { what: string; has: string }[] = [];
  for (const method of ['sync', 'datasync'] as const) {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its handle below
    const real = handles[method];
    vi.spyOn(handles, method).mockImplementation(function (this: FileHandle) {
      const target = readlinkSync(`/proc/self/fd/${this.fd}`);
      synced.push({
        what: path.relative(folder, target).replace(/\d+/g, 'N'),
        has: existsSync(notes()) ? readFileSync(notes(), 'utf8') : '',
      });
      return real.call(this);
    });
  }
  await rm(notes());
  await remember('new');
  expect(synced.map(({ what }) => what)).toEqual(['notes.jsonl.N.N.tmp', '', 'notes.jsonl']);
  // The last one is before the reply, with the note in the file.
  expect(synced.map(({ has }) => has.includes('new'))).toEqual([false, false, true]);
});

it('discards a note that could not be written, and keeps the next one', async () => {
  const server = await remember('kept');
  vi.spyOn(handles, 'datasync').mockRejectedValueOnce(new Error('ENOSPC'));
  await expect(server.remember('not kept')).rejects.toThrow('ENOSPC');
  await server.remember('next');
  expect((await readFile(notes(), 'utf8')).split('\n')).toHaveLength(3);
  expect(await texts()).toEqual(['next', 'kept']);
});
