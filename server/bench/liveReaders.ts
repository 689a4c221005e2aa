import { request } from 'node:http';

/** Readers of streams, in a process of their own, so that they share no event loop with what they measure. */
export interface ReadersJob {
  url: string;
  /** Of event streams; each with the headers of the person who looks. */
  events: { path: string; headers: Record<string, string> }[];
  logs: string[];
  /** Addresses that are opened and never read. */
  idle: { path: string; headers: Record<string, string> }[];
}

export interface ReadersResult {
  /** From just before an event was written to its arrival, in ms, of all streams. */
  delays: number[];
  logBytes: number;
  open: number;
  /** Streams of those that are read that ended or were refused. */
  failed: number;
}

let delays: number[] = [];
let logBytes = 0;
let open = 0;
let failed = 0;

function read(url: string, headers: Record<string, string>, onData: ((chunk: Buffer) => void) | null): void {
  const asked = request(url, { headers, agent: false }, (reply) => {
    if (reply.statusCode !== 200) failed++;
    open++;
    if (onData) reply.on('data', onData);
    else reply.pause();
    reply.on('end', () => onData && failed++);
    reply.on('error', () => onData && failed++);
  });
  asked.on('error', () => onData && failed++);
  asked.end();
}

process.on('message', (message: ReadersJob | 'reset' | 'report') => {
  if (message === 'reset') {
    delays = [];
    logBytes = 0;
  } else if (message === 'report') {
    const result: ReadersResult = { delays, logBytes, open, failed };
    process.send?.(result);
  } else {
    for (const { path, headers } of message.events)
      read(message.url + path, headers, (chunk) => {
        const now = performance.timeOrigin + performance.now();
        for (const [, sent] of chunk.toString('latin1').matchAll(/sent at (\d+\.?\d*)/g))
          delays.push(now - Number(sent));
      });
    for (const path of message.logs) read(message.url + path, {}, (chunk) => (logBytes += chunk.length));
    for (const { path, headers } of message.idle) read(message.url + path, headers, null);
  }
});
