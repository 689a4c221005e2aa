import autocannon from 'autocannon';
import { quantile } from './report';

/** The load generator: a separate process, which shares no event loop with what it measures. */
export interface LoadJob {
  url: string;
  paths: string[];
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Sent with POST; GET without. */
  body?: string;
}

export interface LoadResult {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  /** Replies other than 2xx, and connection errors: must be 0. */
  failed: number;
  /** Per reply, on average. */
  bytes: number;
}

process.on('message', ({ url, paths, headers, connections, seconds, body }: LoadJob) => {
  const times: number[] = [];
  const began = performance.now();
  const run = autocannon(
    {
      url,
      connections,
      duration: seconds,
      timeout: 30,
      requests: paths.map((path) => ({
        path,
        headers,
        ...(body === undefined ? { method: 'GET' as const } : { method: 'POST' as const, body }),
      })),
    },
    (error, result) => {
      if (error) throw error instanceof Error ? error : new Error(String(error));
      const elapsed = (performance.now() - began) / 1000;
      const reply: LoadResult = {
        requests: times.length,
        perSecond: times.length / elapsed,
        p50: quantile(times, 0.5),
        p99: quantile(times, 0.99),
        failed: result.non2xx + result.errors,
        bytes: result.throughput.total / Math.max(1, times.length),
      };
      process.send?.(reply, () => process.disconnect());
    },
  );
  // autocannon's own histogram counts whole milliseconds; these are fractions.
  run.on('response', (_client, _status, _bytes, time) => times.push(time));
});
