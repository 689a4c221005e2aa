import { z } from 'zod';
import { optional, share, variable } from './configVariable';

/** Trace variables, with OpenTelemetry's names and formats; see configVariables.ts. */

const endpoint = z
  .string()
  .max(500)
  .refine((value) => {
    if (!URL.canParse(value)) return false;
    const url = new URL(value);
    // The URL appears in messages, so credentials belong in the headers.
    const isPlain = !url.search && !url.hash && !url.username && !url.password;
    return isPlain && ['http:', 'https:'].includes(url.protocol);
  })
  .transform((value) => value.replace(/\/+$/, ''));

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VALUE = /^[\x20-\x7e]{0,4000}$/;

/** `name=value,name=value` with percent-encoded values, as in W3C's baggage. */
function parseHeaders(text: string): Record<string, string> | null {
  const headers = new Map<string, string>();
  for (const part of text.split(',')) {
    const [, name = '', encoded = ''] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    let value: string;
    try {
      value = decodeURIComponent(encoded);
    } catch {
      return null;
    }
    if (!NAME.test(name) || !VALUE.test(value)) return null;
    headers.set(name, value);
  }
  return headers.size > 20 ? null : Object.fromEntries(headers);
}

const headers = z.string().transform((text, context) => {
  const parsed = parseHeaders(text);
  if (parsed) return parsed;
  context.addIssue({ code: 'custom', message: 'not a list of headers' });
  return z.NEVER;
});

export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    what: 'OpenTelemetry collector that receives traces of requests, operations and calls to hosts, via OTLP over HTTP with JSON. Without it, nothing is traced.',
    expected: 'a base URL such as http://127.0.0.1:4318, without user, query or fragment',
    schema: optional(endpoint),
  }),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    what: 'Headers for the collector, such as its API key.',
    expected: 'comma-separated name=value pairs with percent-encoded values',
    secret: true,
    schema: optional(headers),
  }),
  OTEL_EXPORTER_OTLP_CERTIFICATE: variable({
    what: 'PEM file with the certificate of the private authority that signed the collector’s certificate.',
    expected: 'a path, absolute or relative to the working directory',
    schema: optional(z.string().max(4_096)),
  }),
  OTEL_SERVICE_NAME: variable({
    what: 'Name of this installation in traces.',
    default: 'teehouse',
    expected: 'printable ASCII, at most 100 characters',
    schema: z.string().regex(/^[\x21-\x7e]([\x20-\x7e]{0,98}[\x21-\x7e])?$/),
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    what: 'Share of traces started here that are recorded, from 0 to 1. Requests with a traceparent header follow its flag instead.',
    default: '1',
    expected: 'a number from 0 to 1',
    schema: share,
  }),
};
