import { HttpError } from 'react-admin';
import { withResend } from '../console/lib/resend';
import { withStepUp } from '../console/lib/stepUp';
import type { Problem } from '../generated/api/types.gen';
import type { Problem as ShownProblem } from '../console/ui/feedback/problem';

export interface JsonReply {
  status: number;
  headers: Headers;
  body: string;
  json: unknown;
}

/** What an error of this area carries besides its message. */
export interface ErrorBody {
  /** By field, where react-hook-form finds them; `root.serverError` keeps a failed save from counting as saved. */
  errors: Record<string, string>;
  code?: string;
  request_id?: string;
  suggestions: string[];
}

interface Init extends Omit<RequestInit, 'headers'> {
  headers?: HeadersInit;
}

/** Asks the person to confirm that it is them where the server wants it, and sends again. Looked up at each call. */
const send = withStepUp(withResend((...args) => globalThis.fetch(...args)));

/** fetch with our cookie, JSON both ways, and failures as react-admin's HttpError. In the shape ra-data-simple-rest asks for. */
export async function fetchJson(url: string, init: Init = {}): Promise<JsonReply> {
  const headers = new Headers(init.headers);
  headers.set('Accept', 'application/json');
  if (init.body !== undefined && init.body !== null) headers.set('Content-Type', 'application/json');
  let reply: Response;
  let body: string;
  try {
    reply = await send(url, { ...init, headers, credentials: 'same-origin' });
    body = await reply.text();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw failure(0, 'The server could not be reached.', {
      suggestions: ['Check your connection, then try again.'],
    });
  }
  const json = parse(body);
  if (!reply.ok) throw toHttpError(reply.status, json, reply.headers.get('X-Request-Id'));
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
  const body: ErrorBody = { ...rest, suggestions, errors: { ...errors, 'root.serverError': message } };
  return new HttpError(message, status, body);
}

/** The document's Problem, in any of its forms, as an error whose parts land at the right inputs. */
export function toHttpError(status: number, json: unknown, request_id: string | null): HttpError {
  if (typeof json !== 'object' || json === null || !('detail' in json))
    return failure(status, `The server answered ${status}.`, request_id === null ? {} : { request_id });
  const { detail, code, request_id: own } = json as Problem;
  const parts = { code, request_id: own ?? request_id ?? undefined };
  const known = Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
  if (typeof detail === 'string') return failure(status, detail, known);
  if (Array.isArray(detail)) {
    // `loc` begins with where the value was sent; a form knows what follows.
    const errors = Object.fromEntries(detail.map((issue) => [issue.loc.slice(1).join('.'), issue.msg]));
    const count = detail.length === 1 ? 'One value was' : `${detail.length} values were`;
    return failure(status, `${count} not accepted.`, { ...known, errors });
  }
  if ('error' in detail) return failure(status, detail.error_description ?? detail.error, known);
  const errors = Object.fromEntries(
    (detail.details ?? []).flatMap((item) =>
      item.field === undefined ? [] : [[item.field, item.message ?? detail.message]],
    ),
  );
  return failure(status, detail.message, { ...known, errors, suggestions: detail.suggestions ?? [] });
}

/** Any error as the notice shows it. */
export function problemOf(error: unknown, title: string, retry?: () => void): ShownProblem {
  const base = { title, ...(retry ? { retry } : {}) };
  if (!(error instanceof HttpError))
    return { ...base, message: error instanceof Error ? error.message : 'Something unexpected happened.' };
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

/** Answers of the server, which pages show, and requests given up: no faults of the page. */
export const isAnswer = (error: unknown) =>
  error instanceof HttpError || (error instanceof DOMException && error.name === 'AbortError');
