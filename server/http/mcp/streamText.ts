/** Number of characters returned from a stream's end, and the maximum read to get there. */
const MAX_TEXT = 60_000;
const MAX_READ = 8_000_000;
const MAX_READ_MS = 10_000;

/** Returns the end of a text and states how much was omitted. Gives up on a stalled source after ten seconds. */
export async function streamText(stream: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts = stream[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  let text = '';
  let read = 0;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, MAX_READ_MS, null)));
  let isWhole = false;
  try {
    while (read <= MAX_READ && !isWhole) {
      const next = await Promise.race([parts.next(), late]);
      if (next === null) break;
      const { done, value } = next;
      isWhole = done === true;
      const more = isWhole
        ? decoder.decode()
        : typeof value === 'string'
          ? value
          : decoder.decode(value, { stream: true });
      read += more.length;
      text = (text + more).slice(-MAX_TEXT);
    }
  } finally {
    clearTimeout(timer);
    // Not awaited: a stalled source may never settle. Its errors no longer matter.
    if (!isWhole) void Promise.resolve(parts.return?.()).catch(() => undefined);
  }
  return [
    ...(read > text.length ? [`(The first ${read - text.length} characters are omitted.)`] : []),
    text,
    ...(isWhole ? [] : ['(Reading stopped here. There may be more.)']),
  ]
    .filter(Boolean)
    .join('\n');
}
