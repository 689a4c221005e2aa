import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { sseEvents } from './sseEvents';

afterEach(() => void vi.restoreAllMocks());

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  for (let [at, i] = [0, 0]; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    // Uses separate memory per chunk, like a network.
    yield Uint8Array.from(bytes.subarray(at, at + size));
    at += size;
  }
}

async function read(parts: AsyncIterable<Uint8Array>, most = 10_000) {
  const events: { bytes: string; data: string | null }[] = [];
  for await (const { bytes, data } of sseEvents(parts, most))
    events.push({ bytes: Buffer.from(bytes).toString('latin1'), data });
  return events;
}

it('splits a stream into the same events, regardless of chunking', async () => {
  const line = fc.constantFrom('data: a', 'data:Grüße 👋', ': comment', 'event: x', 'data', '');
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 20 });
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(lines, sizes, async (written, cuts) => {
      const stream = Buffer.from(written.flat().join(''));
      const events = await read(cut(stream, cuts));
      expect(events.map(({ bytes }) => bytes).join('')).toBe(stream.toString('latin1'));
      expect(events).toEqual(await read(cut(stream, [stream.length || 1])));
      for (const { bytes } of events.slice(0, -1)) expect(bytes).toMatch(/(^|\n)\r?\n$/);
    }),
  );
});

it('keeps the bytes of an event while later ones are read', async () => {
  const stream = Buffer.from(Array.from({ length: 200 }, (_, i) => `data: ${i}\n\n`).join(''));
  const kept: Uint8Array[] = [];
  for await (const { bytes } of sseEvents(cut(stream, [7, 3]), 1000)) kept.push(bytes);
  expect(Buffer.concat(kept).equals(stream)).toBe(true);
});

it('copies a long event in tiny parts a few times, not once per part', async () => {
  const MIB = 1024 * 1024;
  const stream = Buffer.from(`data: ${'x'.repeat(MIB - 8)}\n\n`);
  let copied = 0;
  const copy = Buffer.prototype.copy;
  vi.spyOn(Buffer.prototype, 'copy').mockImplementation(function (this: Buffer, ...given) {
    const bytes = copy.apply(this, given);
    copied += bytes;
    return bytes;
  });
  const concat = vi.spyOn(Buffer, 'concat');
  const events = await read(cut(stream, [16]), 2 * MIB);
  expect(events.map(({ data }) => data?.length)).toEqual([MIB - 8]);
  expect(copied).toBeLessThan(4 * MIB);
  expect(concat).not.toHaveBeenCalled();
});

it('ends at an oversized event', async () => {
  const stream = Buffer.from(`data: a\n\ndata: ${'x'.repeat(2000)}`);
  await expect(read(cut(stream, [10]), 1000)).rejects.toThrow(RangeError);
});
