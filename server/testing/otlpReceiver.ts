import { startReceiver, type Receiver } from './webhookReceiver';

/** A span as the collector received it. */
export interface ReceivedSpan {
  name: string;
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  /** OpenTelemetry span kind: 2 server, 3 client, 5 consumer. */
  kind: number;
  is_error: boolean;
  attributes: Record<string, string | number | boolean>;
  /** Resource attributes of its process. */
  resource: Record<string, string | number | boolean>;
}

export interface OtlpReceiver extends Omit<Receiver, 'url'> {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  endpoint: string;
  spans(): ReceivedSpan[];
  /** Every byte that arrived, with the headers. */
  text(): string;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
}
interface Export {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        name: string;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        kind: number;
        status?: { code?: number };
        attributes: Attribute[];
      }[];
    }[];
  }[];
}

const STATUS_ERROR = 2;

/** An OpenTelemetry collector on this machine that accepts everything. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const receiver = await startReceiver();
  receiver.answer = (_request, res) =>
    void res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  return Object.assign(receiver, {
    endpoint: `http://127.0.0.1:${receiver.port}`,
    spans: () => receiver.received.flatMap(({ body }) => spansOf(JSON.parse(body) as Export)),
    text: () => JSON.stringify(receiver.received),
  });
}

const spansOf = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        name: span.name,
        trace_id: span.traceId,
        span_id: span.spanId,
        parent_id: span.parentSpanId || null,
        kind: span.kind,
        is_error: span.status?.code === STATUS_ERROR,
        attributes: valuesOf(span.attributes),
        resource: valuesOf(resource.attributes),
      })),
  );

const valuesOf = (attributes: Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? boolValue ?? Number(intValue ?? doubleValue),
    ]),
  );
