/** Responses to the requests pageStart.js has sent, by path with query; undefined for those without one. */
export interface FirstResponses {
  team: string;
  responses: Map<string, Promise<Response | undefined>>;
}

/** Responses older than this, in ms after the page's start, are too old for a page opened later. */
const MAX_AGE_MS = 60_000;

/** fetch that uses the response to a request already sent, once, instead of sending it again. */
export function withFirstResponses(
  send: typeof fetch,
  first: FirstResponses | undefined,
  now: () => number = () => performance.now(),
): typeof fetch {
  if (!first) return send;
  return async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    const path = pathname + search;
    const isFirst = request.method === 'GET' && request.headers.get('X-Workspace') === first.team;
    const sent = isFirst && now() < MAX_AGE_MS ? first.responses.get(path) : undefined;
    if (!sent) return send(request);
    first.responses.delete(path);
    return (await sent) ?? send(request);
  };
}
