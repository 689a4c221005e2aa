import { request } from 'node:http';

/** Reads streams in a separate process, which shares no event loop with the measured server. */
export interface ReadersJob {
  url: string;
  /** Event streams, each with its reader's headers. */
  events: { path: string; headers: Record<string, string> }[];
  logs: string[];
  /** URLs to open and never read. */
  idle: { path: string; headers: Record<string, string> }[];
}

export interface ReadersResult {
  /** Time from just before an event was written to its arrival, in ms, over all streams. */
  delays: number[];
  logBytes: number;
  open: number;
  /** Streams with readers that ended or were refused. */
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
