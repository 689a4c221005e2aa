import { afterEach, describe, expect, it } from 'vitest';
import type { ResumeQuery } from '../../lib/logs/resume';
import { lineOf } from '../../ui/logs/lineOf';
import { type Connection, firstConnection, nextConnection } from './logConnection';
import { LogSession, type LogSessionOptions } from './logSession';
import { chosenSource, hidesLogs, isUnknown, logSources } from './logSources';
import { emptyLogText } from './emptyLogText';

const record = (second: number, text: string, channel = 'stdout') =>
  `${JSON.stringify({ channel, message: btoa(`2026-01-21T10:00:${String(second).padStart(2, '0')}.000000000Z ${text}\n`) })}\n`;

/** A fake log server: the test controls each response. */
class Server {
  asked: { query: ResumeQuery; fresh: boolean }[] = [];
  streams: ReadableStreamDefaultController<Uint8Array>[] = [];
  answers: (() => Response)[] = [];
  open: LogSessionOptions['open'] = async (query, fresh) => {
    this.asked.push({ query, fresh });
    const answer = this.answers.shift();
    if (answer) return answer();
    return new Response(
      new ReadableStream<Uint8Array>({ start: (stream) => void this.streams.push(stream) }),
    );
  };
  send(text: string) {
    this.streams.at(-1)!.enqueue(new TextEncoder().encode(text));
  }
}

const until = (what: () => boolean) => expect.poll(what, { interval: 2, timeout: 50_000 }).toBe(true);

let session: LogSession;
afterEach(() => session.stop());

function begin(server: Server, options: Partial<LogSessionOptions> = {}) {
  session = new LogSession({
    open: server.open,
    over: () => null,
    timestamps: true,
    flush_ms: 0,
    sleep: (ms, signal) =>
      Number.isFinite(ms)
        ? Promise.resolve()
        : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    ...options,
  });
  session.start();
}
const texts = () => {
  const log = session.getSnapshot();
  return Array.from({ length: log.length }, (_, i) =>
    log.kind(log.first + i) === 'gap' ? '~gap~' : log.text(log.first + i),
  );
};

describe('LogSession', () => {
  it('shows lines as they arrive, with channel and time', async () => {
    const server = new Server();
    begin(server);
    await until(() => server.streams.length === 1);
    server.send(record(1, 'hello') + record(2, '\u001b[31mred\u001b[0m plain', 'stderr'));
    await until(() => texts().length === 2);
    expect(texts()).toEqual(['hello', 'red plain']);
    expect(lineOf(session.getSnapshot(), 1)).toMatchObject({
      kind: 'stderr',
      ts: '2026-01-21T10:00:02.000000000Z',
      spans: [{ text: 'red', color: 'red' }, { text: ' plain' }],
    });
    expect(session.getConnection().state).toBe('live');
  });

  it('resumes after a break without duplicates or gaps', async () => {
    const server = new Server();
    begin(server);
    await until(() => server.streams.length === 1);
    server.send(record(1, 'a') + record(2, 'b'));
    await until(() => texts().length === 2);
    server.streams[0]!.error(new TypeError('network error'));
    await until(() => server.streams.length === 2);
    expect(server.asked[1]!.query.since).toBe('2026-01-21T10:00:01.000000000Z');
    server.send(record(1, 'a') + record(2, 'b') + record(3, 'c'));
    await until(() => texts().includes('c'));
    expect(texts()).toEqual(['a', 'b', 'c']);
  });

  it('marks a gap where lines are missing', async () => {
    const server = new Server();
    begin(server);
    await until(() => server.streams.length === 1);
    server.send(record(1, 'a'));
    await until(() => texts().length === 1);
    server.streams[0]!.error(new TypeError('network error'));
    await until(() => server.streams.length === 2);
    server.send(record(9, 'later'));
    await until(() => texts().includes('later'));
    expect(texts()).toEqual(['a', '~gap~', 'later']);
    expect(session.getSnapshot().text(1)).toContain('between 10:00:01 and 10:00:09');
  });

  it('requests a fresh URL when the old one has expired', async () => {
    const server = new Server();
    server.answers.push(() => Response.json({ detail: 'The log address has expired' }, { status: 403 }));
    begin(server);
    await until(() => server.streams.length === 1);
    expect(server.asked.map(({ fresh }) => fresh)).toEqual([false, true]);
    await until(() => session.getConnection().state === 'live');
  });

  it('requests a fresh URL after the computer slept longer than the old one was valid', async () => {
    const server = new Server();
    begin(server);
    await until(() => server.streams.length === 1);
    const offline = () => {
      throw new TypeError('Failed to fetch');
    };
    server.answers.push(offline, offline, offline, offline);
    server.answers.push(() => Response.json({ detail: 'The log address has expired' }, { status: 403 }));
    server.streams[0]!.error(new TypeError('network error'));
    await until(() => server.streams.length === 2 || session.getConnection().state === 'ended');
    expect(session.getConnection().state).toBe('live');
    expect(server.asked.at(-1)!.fresh).toBe(true);
  });

  it('ends with a reason when the CVM stops, and resumes when woken', async () => {
    const server = new Server();
    let over: string | null = 'The CVM is stopped.';
    begin(server, { over: () => over });
    await until(() => server.streams.length === 1);
    server.streams[0]!.close();
    await until(() => session.getConnection().state === 'ended');
    expect(session.getConnection()).toEqual({ state: 'ended', reason: 'The CVM is stopped.' });
    over = null;
    session.wake();
    await until(() => server.streams.length === 2 && session.getConnection().state === 'live');
  });

  it('keeps only the newest lines and reports how many were dropped', async () => {
    const server = new Server();
    begin(server, { capacity: 5_000 });
    await until(() => server.streams.length === 1);
    for (let i = 0; i < 20_000; i++) server.send(record(i % 60, `line ${i}`));
    await until(() => session.getSnapshot().end === 20_000);
    const log = session.getSnapshot();
    expect(log.length).toBeLessThanOrEqual(5_000);
    expect(log.dropped).toBe(20_000 - log.length);
    expect(log.text(log.end - 1)).toBe('line 19999');
    expect([...log.plain()].join('')).toContain('2026-01-21T10:00:19.000000000Z line 19999\n');
  });

  it('shows every line once, in order, however often and wherever the connection breaks', async () => {
    // A fake log that handles `since` and `tail` like Docker and disconnects at any byte.
    const lines = Array.from({ length: 4_000 }, (_, i) => {
      const at = new Date(Date.parse('2026-01-21T10:00:00Z') + Math.floor(i / 7)).toISOString().slice(0, -1);
      // Several lines share a timestamp, and the same text repeats.
      return { ts: `${at}000000Z`, text: i % 5 === 0 ? 'again' : `line ${i}` };
    });
    let below = 12345;
    const random = (n: number) => (below = (below * 1103515245 + 12345) % 2147483648) % n;
    let written = 0;
    let breaks = 0;
    const open: LogSessionOptions['open'] = async ({ since }) => {
      written = Math.min(lines.length, written + random(300));
      const from = since === undefined ? 0 : lines.findIndex(({ ts }) => ts >= since);
      const bytes = new TextEncoder().encode(
        lines
          .slice(from, written)
          .map(
            ({ ts, text }) => `${JSON.stringify({ channel: 'stdout', message: btoa(`${ts} ${text}\n`) })}\n`,
          )
          .join(''),
      );
      const last = written === lines.length && random(4) === 0;
      const most = last ? bytes.length : random(bytes.length + 1);
      if (!last) breaks++;
      let sent = 0;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull(stream) {
            if (sent >= most) return last ? stream.close() : stream.error(new TypeError('network error'));
            const end = Math.min(most, sent + 1 + random(5_000));
            stream.enqueue(bytes.subarray(sent, end));
            sent = end;
          },
        }),
      );
    };
    let over: string | null = null;
    session = new LogSession({
      open,
      over: () => (over = 'end'),
      timestamps: true,
      flush_ms: 0,
      sleep: (ms, signal) =>
        Number.isFinite(ms)
          ? Promise.resolve()
          : new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    });
    session.start();
    await until(() => over !== null && session.getConnection().state === 'ended');
    await until(() => texts().length >= lines.length);
    expect(texts()).toEqual(lines.map(({ text }) => text));
    expect(breaks).toBeGreaterThan(10);
  });
});

describe('nextConnection', () => {
  const run = (...happened: Parameters<typeof nextConnection>[1][]) =>
    happened.reduce<Connection>(nextConnection, firstConnection);

  it('backs off after each failure and resets once lines arrive', () => {
    const pauses: number[] = [];
    let now: Connection = firstConnection;
    for (let i = 0; i < 8; i++) {
      now = nextConnection(now, { kind: 'broke' });
      if (now.state === 'reconnecting') pauses.push(now.retry_in_ms);
      now = nextConnection(now, { kind: 'retry' });
    }
    expect(pauses).toEqual([500, 1000, 2000, 5000, 10_000, 15_000, 15_000, 15_000]);
    now = nextConnection(nextConnection(now, { kind: 'opened' }), { kind: 'flowing' });
    expect(nextConnection(now, { kind: 'broke' })).toMatchObject({ retry_in_ms: 500 });
  });

  it('waits after a normal end instead of reporting a lost connection', () => {
    const ended = { kind: 'closed', over: null } as const;
    const now = run({ kind: 'opened' }, ended);
    expect(now).toMatchObject({ state: 'waiting', retry_in_ms: 500 });
    expect(nextConnection(now, { kind: 'retry' })).toEqual({ state: 'connecting', attempt: 1, fresh: false });
    expect(run({ kind: 'closed', over: 'The CVM isn’t running.' })).toEqual({
      state: 'ended',
      reason: 'The CVM isn’t running.',
    });
  });

  it('shows the server error and gives up on a URL that stays rejected', () => {
    const refused = {
      kind: 'refused',
      status: 502,
      message: 'The host does not answer.',
      over: null,
    } as const;
    expect(run(refused)).toMatchObject({ state: 'reconnecting', reason: 'The host does not answer.' });
    const forbidden = { kind: 'refused', status: 403, message: 'public_logs is off', over: null } as const;
    const retry = { kind: 'retry' } as const;
    expect(run(forbidden)).toMatchObject({ state: 'reconnecting', retry_in_ms: 0, fresh: true });
    expect(run(forbidden, retry, forbidden, retry, forbidden, retry, forbidden)).toEqual({
      state: 'ended',
      reason: 'public_logs is off',
    });
  });
});

describe('an empty log of a stopped CVM', () => {
  const stopped = { status: 'stopped', in_progress: false, uptime: null, public_logs: true };
  const why = (kind: 'container' | 'vm') =>
    emptyLogText(
      { state: 'ended', reason: 'The CVM is stopped.' },
      { id: 'x', label: 'x', kind },
      stopped as never,
    );

  it('is explained differently for a container and for the VM', () => {
    expect(why('container').text).toContain('Container output isn’t kept after a stop.');
    expect(why('vm').text).toBe('The CVM is stopped. Its last run wrote nothing to this log.');
  });
});

it('is private on TEE hosts only: a local teepod shows the team everything', () => {
  expect(hidesLogs({ public_logs: false, trust: 'unknown' })).toBe(true);
  expect(hidesLogs({ public_logs: true, trust: 'unknown' })).toBe(false);
  expect(hidesLogs({ public_logs: false, trust: 'simulated' })).toBe(false);
});

describe('a source in the address', () => {
  const of = (containers: string[] | null) => {
    const composition = containers && {
      containers: containers.map((name) => ({ names: [`/${name}`], log_endpoint: 'x' })),
    };
    const sources = logSources({ public_logs: true } as never, (composition ?? undefined) as never);
    const source = chosenSource(sources, 'zzz');
    return isUnknown(sources, source, (composition ?? { containers: null }) as never);
  };

  it('is unknown only once the guest lists other containers', () => {
    expect(of(['web'])).toBe(true);
    expect(of(['web', 'zzz'])).toBe(false);
    expect(of([])).toBe(false);
    expect(of(null)).toBe(false);
  });

  it('is described like its connection while that is lost', () => {
    const lost: Connection = {
      state: 'reconnecting',
      attempt: 1,
      retry_in_ms: 500,
      fresh: false,
      reason: 'The connection was lost.',
    };
    const running = { status: 'running', in_progress: false, uptime: '1h', public_logs: true };
    expect(emptyLogText(lost, { id: 'x', label: 'x', kind: 'container' }, running as never)).toEqual({
      title: 'Reconnecting',
      text: 'The connection was lost.',
    });
  });
});
