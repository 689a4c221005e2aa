import { dropsUnknownKeys, olderVersionsOf, type ApiDocument } from './emitOperations';

const VERSION_PARAMETER = { $ref: '#/components/parameters/ApiVersion' };
const SHARED_HEADERS = {
  'X-Phala-Version': { $ref: '#/components/headers/ApiVersion' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
};

const IGNORED_KEYS_HEADERS = { 'X-Ignored-Keys': { $ref: '#/components/headers/IgnoredKeys' } };

/**
 * Returns the document for client authors. It adds what all operations share and generated code doesn't need: the
 * version of requests and responses, the rate limit of responses, the header that names ignored keys, and the
 * shapes of older versions, each under its media type.
 */
export function publishedDocument(document: ApiDocument): ApiDocument {
  const published = structuredClone(document);
  for (const parameter of Object.values(published.components.parameters ?? {})) describeJson(parameter);
  for (const response of Object.values(published.components.responses ?? {}))
    response.headers = { ...SHARED_HEADERS, ...(response.headers as object) };
  for (const [method, operation] of Object.values(published.paths).flatMap((item) => Object.entries(item))) {
    const drops = dropsUnknownKeys(document, method, operation);
    operation.parameters ??= [];
    if (!operation.parameters.some((one) => '$ref' in one && one.$ref === VERSION_PARAMETER.$ref))
      operation.parameters.unshift(VERSION_PARAMETER);
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response.$ref) continue;
      response.headers = {
        ...SHARED_HEADERS,
        ...(status.startsWith('2') && drops ? IGNORED_KEYS_HEADERS : {}),
        ...response.headers,
      };
      if (status !== '200') continue;
      for (const [version, name] of Object.entries(olderVersionsOf(operation))) {
        const example = published.components.examples?.[name];
        response.content = {
          ...response.content,
          [`application/json; version=${version}`]: {
            schema: { $ref: `#/components/schemas/${name}` },
            ...(example && { examples: { default: { $ref: `#/components/examples/${name}` } } }),
          },
        };
      }
    }
  }
  return published;
}

/**
 * Publishes a query parameter with JSON text as JSON. Generated code handles it as text: clients encode it, and
 * the server reports a value that isn't JSON.
 */
function describeJson(parameter: Record<string, unknown>): void {
  const { contentMediaType, contentSchema } = (parameter.schema ?? {}) as Record<string, unknown>;
  if (contentMediaType !== 'application/json') return;
  delete parameter.schema;
  parameter.content = { [contentMediaType]: { schema: contentSchema } };
}
