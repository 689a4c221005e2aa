import { cutWhole } from '../../../console/lib/texts/cutWhole';
import type { RpcErrorKind } from './rpcError';

/*
 * dstack-vmm has no machine-readable error codes: any failure is 400 with {"error": "<chain of causes>"}. These texts
 * are from versions 0.5 and 0.6.
 */
const UNKNOWN_VM = [
  /\b(?:vm|cvm)(?: [\w"'-]+)? (?:is )?not found\b/i,
  /\bthe instance \S+ not found\b/i,
  /\bno such (?:vm|cvm)\b/i,
  // 0.5 goes straight to the VM's directory
  /failed to (?:set started|read manifest|remove vm directory|read compose file|sync dynamic config|write encrypted env)[^]*no such file or directory/i,
];
const UNKNOWN_METHOD = /\bservice not found\b/i;

const MAX_TEXT = 2000;

/**
 * Sanitizes a host's text for storage: no credentials, control characters or terminal escapes, one paragraph,
 * bounded.
 */
export function scrub(text: string, secrets: string[]): string {
  let out = text;
  for (const secret of secrets) out = out.replaceAll(secret, '***');
  out = out
    // eslint-disable-next-line no-control-regex
    .replace(/\x1b\[[0-9;?]*[a-z]/gi, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return out.length > MAX_TEXT ? `${cutWhole(out, MAX_TEXT)}…` : out;
}

export interface ReplyFailure {
  kind: RpcErrorKind;
  detail: string;
  text?: string;
  retryable?: boolean;
  /** a change may have been carried out anyway */
  ambiguous: boolean;
}

/** Parses a response other than 200. */
export function failureOfReply(status: number, body: string, secrets: string[]): ReplyFailure {
  if (status === 401 || status === 403)
    return { kind: 'unauthorized', detail: `the host refuses the credential (${status})`, ambiguous: false };
  if (status === 400) return refusal(body, secrets);
  if (status === 404)
    return {
      kind: 'unsupported',
      detail: 'another server responds at this address, not a dstack-vmm (404)',
      ambiguous: false,
    };
  if (status === 413)
    return { kind: 'rejected', detail: 'the host rejected the request as too large', ambiguous: false };
  if (status === 429 || status === 503)
    return { kind: 'unreachable', detail: `the host is busy (${status})`, ambiguous: false };
  // A proxy's 502 or 504 doesn't reveal what the host behind it did.
  if (status === 502 || status === 504)
    return { kind: 'unreachable', detail: `the proxy cannot reach the host (${status})`, ambiguous: true };
  return {
    kind: 'bad_reply',
    detail: `unexpected status ${status}`,
    retryable: status >= 500,
    ambiguous: status >= 500,
  };
}

function refusal(body: string, secrets: string[]): ReplyFailure {
  let error: unknown;
  try {
    error = (JSON.parse(body) as { error?: unknown } | null)?.error;
  } catch {
    error = undefined;
  }
  if (typeof error !== 'string')
    return { kind: 'bad_reply', detail: 'status 400 without an error text', ambiguous: false };
  const text = scrub(error, secrets);
  const kind = UNKNOWN_METHOD.test(text)
    ? 'unsupported'
    : UNKNOWN_VM.some((known) => known.test(error as string))
      ? 'not_found'
      : 'rejected';
  return { kind, detail: text === '' ? 'rejected without a reason' : text, text, ambiguous: false };
}

export interface TransportFailure {
  kind: RpcErrorKind;
  detail: string;
  retryable: boolean;
  /** the request may have reached the host */
  connected: boolean;
}

const NOT_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'EACCES',
  'ENOTSOCK',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_CLOSED',
]);
const CERTIFICATE = /CERT|SIGNATURE|^ERR_TLS|^ERR_SSL|^EPROTO$|ISSUER/;

/** Parses an error of the HTTP client. */
export function failureOfTransport(error: unknown): TransportFailure {
  const { code, message } = describe(error);
  const detail = code === '' ? message : `${message} (${code})`;
  // A retry doesn't fix a wrong certificate; an administrator must.
  if (CERTIFICATE.test(code))
    return { kind: 'unreachable', detail: `TLS: ${detail}`, retryable: false, connected: false };
  if (
    isParserError(error) ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  )
    return {
      kind: 'bad_reply',
      detail: `the response is not HTTP: ${detail}`,
      retryable: false,
      connected: true,
    };
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return { kind: 'timeout', detail: 'the stream stopped sending data', retryable: true, connected: true };
  return { kind: 'unreachable', detail, retryable: true, connected: !NOT_CONNECTED.has(code) };
}

/** Its `data` is what the peer sent, so the error itself must not be logged as a cause. */
export function isParserError(error: unknown): boolean {
  return error instanceof Error && error.name === 'HTTPParserError';
}

function describe(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: 'connection failed' };
  const code = (error as { code?: unknown }).code;
  // Failed attempts on several addresses end in an AggregateError without a message of its own.
  const message = error.message !== '' ? error.message : 'connection failed';
  return { code: typeof code === 'string' ? code : '', message };
}
