import { TraceFlags } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { SpanCounts } from './index';

export interface ExportLimits {
  /** Spans waiting or being sent; further ones are dropped. */
  queue: number;
  /** Time limit of one export, including retries. */
  export_ms: number;
}

interface Options {
  exporter: SpanExporter;
  limits: ExportLimits;
  log: Logger;
  /** Creates the span processor that batches for the given exporter. */
  next: (exporter: SpanExporter) => SpanProcessor;
}

type Result = Parameters<Parameters<SpanExporter['export']>[1]>[0];

const SUCCESS = 0;
const FAILED = 1;

/**
 * Wraps the library's batching: bounds and counts waiting spans, ends hanging exports, and logs a collector
 * outage once when it starts and once when it ends.
 */
export class ExportQueue implements SpanProcessor {
  readonly #options: Options;
  readonly #next: SpanProcessor;
  readonly #counts = { exported: 0, failed: 0, dropped: 0 };
  #waiting = 0;
  #isOut = false;

  constructor(options: Options) {
    this.#options = options;
    const { exporter, next } = options;
    this.#next = next({
      export: (spans, done) => this.#export(spans, done),
      shutdown: () => exporter.shutdown(),
    });
  }

  /** Spans that are neither exported nor given up. */
  get waiting(): number {
    return this.#waiting;
  }

  counts(): SpanCounts {
    return { ...this.#counts };
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return;
    if (this.#waiting >= this.#options.limits.queue) {
      this.#counts.dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#next.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#next.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#next.shutdown();
  }

  #export(spans: ReadableSpan[], done: (result: Result) => void): void {
    const { exporter, limits } = this.#options;
    let isSettled = false;
    const settle = (result: Result) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      this.#waiting -= spans.length;
      this.#note(spans.length, result);
      done(result);
    };
    // Otherwise, a collector that keeps sending would hold the export open.
    const timer = setTimeout(() => {
      settle({ code: FAILED, error: new Error(`no reply within ${limits.export_ms} ms`) });
    }, limits.export_ms).unref();
    try {
      exporter.export(spans, settle);
    } catch (error) {
      settle({ code: FAILED, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }

  #note(spans: number, { code, error }: Result): void {
    const { log } = this.#options;
    if (code === SUCCESS) {
      this.#counts.exported += spans;
      if (this.#isOut) log.info({ lost_spans: this.#counts.failed }, 'trace export recovered');
      this.#isOut = false;
      return;
    }
    this.#counts.failed += spans;
    if (this.#isOut) return;
    this.#isOut = true;
    log.warn(
      { reason: reasonOf(error) },
      "trace export failed: the OpenTelemetry collector isn't accepting spans; logged once per outage",
    );
  }
}

/** The error without the reply's body or the request's headers. */
function reasonOf(error: Error | undefined): string {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'number') return `status ${code}`;
  if (typeof code === 'string') return code;
  return (error?.message || 'unknown').slice(0, 200);
}
