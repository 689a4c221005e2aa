import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import {
  ROOT_CONTEXT,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span as OtelSpan,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { endsWithin } from '../../../console/lib/endsWithin';
import { parseTraceparent, traceparentOf } from '../../domain/core/traceparent';
import { ExportQueue, type ExportLimits } from './exportQueue';
import type { Span, SpanAttributes, SpanKind, Tracing } from './index';

interface OtlpOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  endpoint: string;
  /** Sent with each export. May hold credentials. */
  headers: Readonly<Record<string, string>>;
  /** File with the certificate of a private authority that signed the collector's. */
  certificate: string | null;
  service: string;
  /** Recorded share of the traces started here, from 0 to 1. */
  ratio: number;
  version: string;
  environment: string;
  role: string;
  log: Logger;
}

interface Limits extends ExportLimits {
  /** Spans per export. */
  batch: number;
  /** Longest wait of a span for the next export. */
  delay_ms: number;
  /** Time limit of the last export, when the process stops. */
  stop_ms: number;
}

const LIMITS: Limits = { queue: 4_096, batch: 512, delay_ms: 2_000, export_ms: 10_000, stop_ms: 3_000 };

const KINDS: Record<SpanKind, Kind> = {
  server: Kind.SERVER,
  client: Kind.CLIENT,
  consumer: Kind.CONSUMER,
};

/**
 * Exports spans to an OpenTelemetry collector (OTLP over HTTP, JSON), in the background. The library's globals
 * stay unset, so only our own calls create spans. Loaded only if tracing is on.
 */
export function createOtlpTracing(options: OtlpOptions, limits: Limits = LIMITS): Tracing {
  const { endpoint, headers, certificate, service, ratio, version, environment, role, log } = options;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    ...(certificate === null ? {} : { httpAgentOptions: { ca: certificateIn(certificate, log) } }),
    // Failed requests are retried within this time.
    timeoutMillis: limits.export_ms,
  });
  const queue = new ExportQueue({
    exporter,
    limits,
    log,
    next: (bounded) =>
      new BatchSpanProcessor({
        exporter: bounded,
        maxQueueSize: limits.queue,
        maxExportBatchSize: limits.batch,
        scheduledDelayMillis: limits.delay_ms,
        exportTimeoutMillis: limits.export_ms + 1_000,
      }),
  });
  const provider = new TracerProvider({
    // As selected by the environment variable OTEL_TRACES_SAMPLER=parentbased_traceidratio.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    resource: resourceFromAttributes({
      'service.name': service,
      'service.version': version,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'deployment.environment.name': environment,
      'teehouse.role': role,
    }),
    spanLimits: { attributeValueLengthLimit: 200 },
    spanProcessors: [queue],
  });
  const tracer = provider.getTracer('teehouse', version);

  return {
    start(name, { kind, parent, attributes = {} }) {
      const span = tracer.startSpan(
        name,
        { kind: KINDS[kind], attributes: present(attributes) },
        contextOf(parent),
      );
      return spanOf(tracer, span);
    },
    counts: () => queue.counts(),
    async stop() {
      await endsWithin(
        provider.shutdown().catch(() => undefined),
        limits.stop_ms,
      );
      const { waiting } = queue;
      if (waiting > 0) log.warn({ spans: waiting }, "couldn't export the remaining traces before exit");
    },
  };
}

/** Undefined if it can't be read. Traces alone don't keep a server from starting. */
function certificateIn(file: string, log: Logger): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    log.warn({ err: error }, "can't read the file in OTEL_EXPORTER_OTLP_CERTIFICATE");
    return undefined;
  }
}

function contextOf(parent: string | null | undefined): Context {
  const found = parseTraceparent(parent);
  if (!found) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId: found.trace_id,
    spanId: found.span_id,
    traceFlags: found.is_sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });
}

function spanOf(tracer: Tracer, span: OtelSpan): Span {
  const { traceId: trace_id, spanId: span_id, traceFlags } = span.spanContext();
  const is_sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    trace_id,
    traceparent: traceparentOf({ trace_id, span_id, is_sampled }),
    child: (name, kind, attributes = {}) =>
      spanOf(
        tracer,
        tracer.startSpan(
          name,
          { kind: KINDS[kind], attributes: present(attributes) },
          trace.setSpan(ROOT_CONTEXT, span),
        ),
      ),
    end({ name, attributes = {}, is_error = false } = {}) {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(present(attributes));
      if (is_error) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const present = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
