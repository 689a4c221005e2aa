import { HttpError } from 'react-admin';
import { NEWEST_VERSION, VERSION_HEADER } from '../console/lib/apiVersion';
import { withResend } from '../console/lib/resend';
import { withConnection } from '../console/lib/connection';
import { retryTime, type FailedRead } from '../console/lib/recovery';
import { withStepUp } from '../console/lib/accounts/stepUp';
import type { Problem } from '../generated/api/types.gen';
import type { Problem as ShownProblem } from '../console/ui/feedback/problem';

export interface JsonReply {
  status: number;
  headers: Headers;
  body: string;
  json: unknown;
}

/** Body of every HttpError raised here. */
export interface ErrorBody {
  /** By field, as react-hook-form expects; `root.serverError` keeps a failed save from counting as saved. */
  errors: Record<string, string>;
  code?: string;
  request_id?: string;
  suggestions: string[];
  /** When Retry-After allows the next attempt, in Unix milliseconds. */
  retry_at?: number;
}

interface Init extends Omit<RequestInit, 'headers'> {
  headers?: HeadersInit;
}

/** Prompts for step-up confirmation when the server requires it, then resends. Reads `fetch` on each call. */
const send = withStepUp(withResend(withConnection((...args) => globalThis.fetch(...args))));

/** Sends JSON with the session cookie, in the shape ra-data-simple-rest expects. @throws HttpError */
export async function fetchJson(url: string, init: Init = {}): Promise<JsonReply> {
  const headers = new Headers(init.headers);
  headers.set('Accept', 'application/json');
  headers.set(VERSION_HEADER, NEWEST_VERSION);
  if (init.body !== undefined && init.body !== null) headers.set('Content-Type', 'application/json');
  let reply: Response;
  let body: string;
  try {
    reply = await send(url, { ...init, headers, credentials: 'same-origin' });
    body = await reply.text();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw failure(0, 'Couldn’t reach the server.', {
      suggestions: ['Check your connection, then try again.'],
    });
  }
  const json = parse(body);
  if (!reply.ok) {
    const error = toHttpError(reply.status, json, reply.headers.get('X-Request-Id'));
    const retry_at = retryTime(reply.headers.get('Retry-After'));
    if (retry_at !== undefined) (error.body as ErrorBody).retry_at = retry_at;
    throw error;
  }
  return { status: reply.status, headers: reply.headers, body, json };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failure(status: number, message: string, parts: Partial<ErrorBody> = {}): HttpError {
  const { errors = {}, suggestions = [], ...rest } = parts;
  const body: ErrorBody = {
    ...rest,
    suggestions,
    errors: { ...errors, 'root.serverError': message },
  };
  return new HttpError(message, status, body);
}

/** Converts any form of the API's Problem into an error whose parts map to inputs. */
export function toHttpError(status: number, json: unknown, request_id: string | null): HttpError {
  if (typeof json !== 'object' || json === null || !('detail' in json))
    return failure(status, `The server responded with ${status}.`, request_id === null ? {} : { request_id });
  const { detail, code, request_id: own } = json as Problem;
  const parts = { code, request_id: own ?? request_id ?? undefined };
  const known = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  if (typeof detail === 'string') return failure(status, detail, known);
  if (Array.isArray(detail)) {
    // `loc` starts with the request part (body, query); forms use the rest.
    const errors = Object.fromEntries(detail.map((issue) => [issue.loc.slice(1).join('.'), issue.msg]));
    const count = detail.length === 1 ? 'One value is' : `${detail.length} values are`;
    return failure(status, `${count} invalid.`, { ...known, errors });
  }
  if ('error' in detail) return failure(status, detail.error_description ?? detail.error, known);
  const errors = Object.fromEntries(
    (detail.details ?? []).flatMap((item) =>
      item.field === undefined ? [] : [[item.field, item.message ?? detail.message]],
    ),
  );
  return failure(status, detail.message, {
    ...known,
    errors,
    suggestions: detail.suggestions ?? [],
  });
}

/** Converts any error for display. */
export function problemOf(error: unknown, title: string, retry?: () => void): ShownProblem {
  const base = { title, ...(retry ? { retry } : {}) };
  if (!(error instanceof HttpError))
    return {
      ...base,
      message: error instanceof Error ? error.message : 'An unexpected error occurred.',
    };
  const body = error.body as ErrorBody | undefined;
  const details = Object.entries(body?.errors ?? {})
    .filter(([field]) => field !== 'root.serverError')
    .map(([field, message]) => ({ field, message }));
  return {
    ...base,
    message: error.message,
    ...(body?.code === undefined ? {} : { code: body.code }),
    ...(body?.request_id === undefined ? {} : { request_id: body.request_id }),
    ...(details.length > 0 ? { details } : {}),
    ...(body && body.suggestions.length > 0 ? { suggestions: body.suggestions } : {}),
  };
}

export const statusOf = (error: unknown) => (error instanceof HttpError ? error.status : undefined);

export const failedRead = (error: unknown): FailedRead | undefined =>
  error instanceof HttpError
    ? { status: error.status, retry_at: (error.body as ErrorBody | null)?.retry_at }
    : undefined;

/** Whether an error is a server response or an aborted request, which pages handle, rather than a bug. */
export const isAnswer = (error: unknown) =>
  error instanceof HttpError || (error instanceof DOMException && error.name === 'AbortError');
