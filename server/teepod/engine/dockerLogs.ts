/** Container logs of the Docker API, as lines. The reader pulls, so a slow one pauses the engine's stream. */
import type { DockerApi } from './dockerApi';
import type { LogChunk, LogQuery } from './types';

/** Longer lines are split. */
const MAX_LINE = 64 * 1024;

export async function* dockerLogs(
  api: DockerApi,
  id: string,
  query: LogQuery,
  signal: AbortSignal,
): AsyncGenerator<LogChunk> {
  const { Config } = await api.inspect(id);
  const parameters = new URLSearchParams({
    stdout: '1',
    stderr: '1',
    tail: query.tail < 0 ? 'all' : String(query.tail),
  });
  if (query.follow) parameters.set('follow', '1');
  if (query.timestamps) parameters.set('timestamps', '1');
  if (query.since > 0) parameters.set('since', seconds(query.since));
  if (query.until > 0) parameters.set('until', seconds(query.until));
  const response = await api.stream(
    'GET',
    `/containers/${encodeURIComponent(id)}/logs?${parameters}`,
    signal,
  );
  const lines = { stdout: new LineCutter('stdout'), stderr: new LineCutter('stderr') };
  try {
    if (Config.Tty) {
      for await (const chunk of response) yield* lines.stdout.push(chunk as Buffer);
    } else {
      for await (const frame of frames(response)) yield* lines[frame.channel].push(frame.data);
    }
    yield* lines.stdout.flush();
    yield* lines.stderr.flush();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    response.destroy();
  }
}

function seconds(value: number): string {
  return value.toFixed(9).replace(/0+$/, '').replace(/\.$/, '');
}

/** Docker's multiplexed stream: 8-byte header (channel, 0, 0, 0, length u32 BE), then the data. */
async function* frames(
  source: AsyncIterable<unknown>,
): AsyncGenerator<{ channel: 'stdout' | 'stderr'; data: Buffer }> {
  let rest: Buffer = Buffer.alloc(0);
  let channel: 'stdout' | 'stderr' = 'stdout';
  let left = 0;
  for await (const piece of source) {
    rest = rest.length > 0 ? Buffer.concat([rest, piece as Buffer]) : (piece as Buffer);
    for (;;) {
      if (left === 0) {
        if (rest.length < 8) break;
        channel = rest[0] === 2 ? 'stderr' : 'stdout';
        left = rest.readUInt32BE(4);
        rest = rest.subarray(8);
      }
      if (left > 0 && rest.length === 0) break;
      const data = rest.subarray(0, left);
      rest = rest.subarray(data.length);
      left -= data.length;
      if (data.length > 0) yield { channel, data };
    }
  }
}

/** MAX_LINE or up to 3 bytes less, so that no UTF-8 character is cut: readers decode each piece. */
function wholeLength(bytes: Buffer): number {
  let length = MAX_LINE;
  while (length > MAX_LINE - 4 && ((bytes[length] ?? 0) & 0xc0) === 0x80) length--;
  return length > MAX_LINE - 4 ? length : MAX_LINE; // not UTF-8
}

class LineCutter {
  #rest: Buffer = Buffer.alloc(0);

  constructor(readonly channel: 'stdout' | 'stderr') {}

  *push(data: Buffer): Generator<LogChunk> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, data]) : data;
    for (;;) {
      const end = this.#rest.indexOf(10);
      const length = end >= 0 ? end + 1 : this.#rest.length > MAX_LINE ? wholeLength(this.#rest) : 0;
      if (length === 0) return;
      yield { channel: this.channel, message: this.#rest.subarray(0, length) };
      this.#rest = this.#rest.subarray(length);
    }
  }

  *flush(): Generator<LogChunk> {
    if (this.#rest.length > 0) yield { channel: this.channel, message: this.#rest };
    this.#rest = Buffer.alloc(0);
  }
}
