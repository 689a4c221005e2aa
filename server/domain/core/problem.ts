import {
  problemCodes,
  problems,
  type ProblemCode,
  type ProblemName,
} from '../../../generated/api/permissions.gen';
import type { DeviceError } from '../../../generated/api/types.gen';

export interface ProblemInfo {
  /** Overrides the code's public title. Callers see it: never include a secret or another team's data. */
  message?: string;
  details?: { field?: string; message?: string; value?: unknown }[];
  suggestions?: string[];
  links?: { label: string; url: string }[];
  /** For the log only. */
  cause?: unknown;
  /** The caller's own service failed, not this server: logged in one line, and not as an error. */
  is_external?: boolean;
  /** The current version, when If-Match was stale. */
  etag?: string;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** Replaces the whole `detail`: command lines that poll a login read nothing else (RFC 8628 §3.5). */
  device?: DeviceError;
}

/**
 * A failure declared in the API document. Thrown by the rule that failed; `http/errors.ts` renders it. Each
 * code's status, title and advice are in the document (`x-problems`).
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  constructor(
    name: ProblemName,
    readonly info: ProblemInfo = {},
  ) {
    const code = problemCodes[name];
    super(info.message ?? problems[code].title, { cause: info.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = problems[code].status;
  }
}
