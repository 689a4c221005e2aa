import type { ZodType } from 'zod';
import type { OperationId } from '../../../generated/api/operations.gen';
import type { ApiVersion } from '../../http/compat/versions';

/** The published clients, and the version each names in X-Phala-Version. */
export const CLIENTS = {
  deploy: { title: '`phala deploy`', version: '2025-10-28' },
  cli: { title: 'other `phala` commands', version: '2026-01-21' },
  typescript: { title: 'TypeScript', version: '2026-01-21' },
  go: { title: 'Go, Terraform', version: '2026-05-22' },
  python: { title: 'Python', version: '2026-06-23' },
} as const satisfies Record<string, { title: string; version: ApiVersion }>;
export type Client = keyof typeof CLIENTS;

/** A published client's request, and the replies it accepts. */
export interface ClientRequest {
  operation: OperationId;
  clients: readonly Client[];
  /** Of a client whose request differs from its usual version. */
  versions?: Partial<Record<Client, ApiVersion>>;
  /** `{name}` stands for a value of the CVM the request is about, in texts of the body too. */
  query?: string;
  body?: unknown;
  /** The same as written by the Python client, with optional fields as null. */
  python?: unknown;
  contentType?: string;
  /** State of the CVM the request is about; default running. */
  state?: 'stopped';
  /** A request sent before; its reply's `app_id` and `compose_hash` are used by this one. */
  after?: OperationId;
  status?: 202 | 201 | 204;
  /** Undefined: the client ignores the body. */
  reply?: (version: ApiVersion) => ZodType;
}

export const SDKS = ['typescript', 'go', 'python'] as const;
export const ALL = ['cli', ...SDKS] as const;
export const EVERY = ['deploy', ...ALL] as const;
export const NEW = ['go', 'python'] as const;

/** The version a client names in a request. */
export const versionOf = (request: ClientRequest, client: Client): ApiVersion =>
  request.versions?.[client] ?? CLIENTS[client].version;
