import { afterEach, describe, expect, it, vi } from 'vitest';
import { streamText } from './streamText';

afterEach(() => {
  vi.useRealTimers();
});

async function* of(...parts: (string | Uint8Array)[]) {
  yield* parts;
}

describe('the text of a stream', () => {
  it('is complete if short, even with a split character', async () => {
    const bytes = Buffer.from('grüße 茶');
    expect(await streamText(of(bytes.subarray(0, 3), bytes.subarray(3)))).toBe('grüße 茶');
    expect(await streamText(of())).toBe('');
  });

  it('is truncated to its end if long, stating the number of omitted characters', async () => {
    const text = await streamText(of('a'.repeat(50_000), 'b'.repeat(59_999), 'c'));
    expect(text).toBe(`(The first 50000 characters are omitted.)\n${'b'.repeat(59_999)}c`);
  });

  it('is cut off after eight million characters of an endless stream', async () => {
    let left = false;
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        left = true;
      }
    }
    const text = await streamText(endless());
    expect(text).toMatch(
      /^\(The first 80\d{5} characters are omitted\.\)\nx{60000}\n\(Reading stopped here\. There may be more\.\)$/,
    );
    await expect.poll(() => left).toBe(true);
  });

  it('is cut off after ten seconds of a stalled source', async () => {
    vi.useFakeTimers();
    async function* stalls() {
      yield 'first line';
      await new Promise(() => undefined);
    }
    const reading = streamText(stalls());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await reading).toBe('first line\n(Reading stopped here. There may be more.)');
  });

  it('fails if its source does', async () => {
    async function* breaks() {
      yield 'first line';
      throw new Error('the host is gone');
    }
    await expect(streamText(breaks())).rejects.toThrow('the host is gone');
  });
});
