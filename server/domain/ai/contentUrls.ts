import { AiError } from './aiError';
import type { ContentPart } from './contentPart';
import type { ModelRequest } from './modelRequest';

/**
 * URLs in the content of a request. A model server fetches them from inside its own network, so they may only
 * lead where this server would connect for a team. Content in the request itself (`data:`) is not fetched.
 */

/** Hosts of a request: each is looked up. */
const MAX_HOSTS = 10;

/** A URL whose host all parsers agree on: no user name, no backslash, no character that one of them ignores. */
const IS_PLAIN = /^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?([/?#][^\\\p{Cc}]*)?$/iu;

/** A URL to check, with its place in the request. */
export interface ContentUrl {
  url: URL;
  param: string;
}

const NONE: readonly ContentUrl[] = [];

/**
 * Returns one URL for each host that a model server would connect to for this request.
 * @throws {AiError} 400 for something that isn't a plain URL, or too many hosts
 */
export function contentUrls({ endpoint, given }: ModelRequest): readonly ContentUrl[] {
  if (endpoint === 'completions' || endpoint === 'embeddings') return NONE;
  const hosts = new Map<string, ContentUrl>();
  const add = (parts: unknown, param: (index: number) => string) => {
    if (!Array.isArray(parts)) return;
    for (const [index, { urls }] of (parts as readonly ContentPart[]).entries())
      for (const text of urls ?? []) {
        const url = plainUrl(text);
        if (!url)
          throw notAllowed('Send the content itself as a data: URL, or an https:// URL.', param(index));
        const host = `${url.protocol}//${url.hostname}`;
        if (!hosts.has(host)) hosts.set(host, { url, param: param(index) });
        if (hosts.size > MAX_HOSTS)
          throw notAllowed(`The URLs of a request can have up to ${MAX_HOSTS} hosts.`, param(index));
      }
  };
  if (endpoint === 'chat.completions')
    for (const [at, { content }] of given.messages.entries())
      add(content, (index) => `messages[${at}].content[${index}]`);
  else if (typeof given.input !== 'string')
    for (const [at, { content, output }] of given.input.entries()) {
      add(content, (index) => `input[${at}].content[${index}]`);
      add(output, (index) => `input[${at}].output[${index}]`);
    }
  return hosts.size === 0 ? NONE : [...hosts.values()];
}

/** @returns null if another parser could find another host in it: some read `010.8.8.8` as 10.8.8.8 */
function plainUrl(text: string): URL | null {
  const host = IS_PLAIN.exec(text)?.[1];
  if (host === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url?.hostname === host.toLowerCase() ? url : null;
}

/** A URL that a model server must not fetch. */
export const notAllowed = (text: string, param: string) =>
  new AiError(400, 'invalid_request_error', 'url_not_allowed', `${param}: ${text}`, { param });
