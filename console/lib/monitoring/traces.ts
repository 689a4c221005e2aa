// Contents of a performance trace, used by both apps. Anything not listed here is dropped.

interface Attributes {
  [key: string]: unknown;
}

/** The fields of Sentry's transaction event and its spans that are used here. */
export interface Transaction {
  transaction?: string;
  spans?: { op?: string; description?: string; data?: Attributes }[];
  contexts?: { trace?: { data?: Attributes } & object };
}

/** Spans of the browser and of requests; spans of clicks and elements contain page text. */
const SPAN_OPS = /^(pageload|navigation|http\.client|browser(\.\w+)?|paint|resource\.script)$/;
const SPAN_DATA = new Set(['http.response.status_code', 'http.request.method', 'sentry.op', 'sentry.origin']);

/** "/acme/cvms/5" → "/$teamSlug/cvms/$vmUuid". The most literal of `pages` (`generated/api/pages.gen.ts`) wins. */
export function pagePattern(path: string, pages: readonly string[]): string {
  const segments = path.split('/').filter((part) => part !== '');
  const literals = (pattern: string[]) => pattern.filter((part) => !/[${]/.test(part)).length;
  const [best] = pages
    .map((page) => page.split('/').filter((part) => part !== ''))
    .filter(
      (pattern) =>
        pattern.length === segments.length &&
        pattern.every((part, i) => /[${]/.test(part) || part === segments[i]),
    )
    .sort((a, b) => literals(b) - literals(a));
  return best === undefined ? '/(unknown)' : `/${best.join('/')}`;
}

/** "GET https://host/api/v1/cvms/5?x=1" → "GET /api/v1/cvms": the request's subject, without identifiers. */
function requestName(description: string): string {
  const [, method = 'GET', subject] = /^(\w+) .*?\/api\/v1\/([a-z-]+)/.exec(description) ?? [];
  return subject === undefined ? method : `${method} /api/v1/${subject}`;
}

const allowed = (data: Attributes | undefined): Attributes =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([key]) => SPAN_DATA.has(key)));

/** Keeps timings, address patterns and status codes. */
export function cleanTransaction<T extends Transaction>(event: T, pages: readonly string[]): T {
  const { transaction = '/', spans = [], contexts } = event;
  const rest = { ...event } as T & Record<string, unknown>;
  for (const key of ['user', 'extra', 'tags', 'request', 'server_name', 'breadcrumbs']) delete rest[key];
  return {
    ...rest,
    transaction: pages.includes(transaction) ? transaction : pagePattern(transaction, pages),
    contexts: { trace: { ...contexts?.trace, data: allowed(contexts?.trace?.data) } },
    spans: spans
      .filter(({ op = '' }) => SPAN_OPS.test(op))
      .map(({ op = '', description = '', data, ...span }) => ({
        ...span,
        op,
        description: op === 'http.client' ? requestName(description) : op,
        data: allowed(data),
      })),
  };
}
