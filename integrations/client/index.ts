import { createClient, createConfig, type Client } from '../../generated/api/client';
import { NEWEST_VERSION, VERSION_HEADER } from '../../console/lib/apiVersion';
import { toApiError } from './apiError';
import { withRetries } from './retry';

export * from '../../generated/api/sdk.gen';
export type * from '../../generated/api/types.gen';
export type { Client } from '../../generated/api/client';
export { ApiError, type FieldFault } from './apiError';

export interface TeehouseOptions {
  /** URL of the server, such as `https://cloud.example.com`. */
  server: string;
  /** API token of a team. */
  token: string;
  /** Maximum retries, where repeating is safe; defaults to 4. */
  retries?: number;
  /** Milliseconds that one attempt may take; defaults to 30,000. Streams count until their end. */
  timeout_ms?: number;
  /** Whether to also retry a request refused because another operation is in progress; defaults to true. */
  conflicts?: boolean;
  fetch?: typeof fetch;
}

/**
 * Returns a client for one team, to pass to operations as `client`. Requests use the API version of the types.
 * With `throwOnError: true`, operations throw an {@link ApiError}; without it, they return it as `error`.
 */
export function createTeehouse({
  server,
  token,
  retries = 4,
  timeout_ms = 30_000,
  conflicts = true,
  fetch: send = (...args) => globalThis.fetch(...args),
}: TeehouseOptions): Client {
  const client = createClient(
    createConfig({
      baseUrl: `${new URL(server).origin}/api/v1`,
      fetch: withRetries(send, { retries, timeout_ms, conflicts }),
      headers: { 'X-API-Key': token, [VERSION_HEADER]: NEWEST_VERSION },
    }),
  );
  client.interceptors.error.use((error, response) => toApiError(error, response));
  return client;
}
