/**
 * Why a call to a host failed, by how callers react:
 * - `unreachable`: no connection, or it broke; the host or a proxy in front of it may be down
 * - `timeout`: the method's deadline passed
 * - `unauthorized`: credential missing or rejected
 * - `not_found`: the host doesn't know this VM (or log)
 * - `unsupported`: this version of the host has no such method, field or path
 * - `rejected`: the host understood and refused; `host_text` gives the reason
 * - `bad_reply`: something responded, but not in our protocol
 */
export type RpcErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'unauthorized'
  | 'not_found'
  | 'unsupported'
  | 'rejected'
  | 'bad_reply';

export interface RpcErrorInit {
  kind: RpcErrorKind;
  /** RPC method or path, e.g. `CreateVm` */
  method: string;
  /** the host's URL without credential */
  endpoint: string;
  detail: string;
  /** the host's own wording, without credentials and control characters */
  host_text?: string;
  retryable?: boolean;
  ambiguous?: boolean;
  cause?: unknown;
}

const RETRYABLE: ReadonlySet<RpcErrorKind> = new Set(['unreachable', 'timeout']);

/**
 * Base of `VmmError` and `KmsError`. Messages never contain a credential, so they may be logged and shown to admins.
 */
export class RpcError extends Error {
  readonly kind: RpcErrorKind;
  readonly method: string;
  readonly endpoint: string;
  readonly host_text: string | null;
  /** the same call may succeed later without any other change */
  readonly retryable: boolean;
  /**
   * The call changes state and may have been carried out although it failed here. Neither dstack-vmm nor its callers
   * have an idempotency key: after an ambiguous CreateVm, look the VM up before creating again.
   */
  readonly ambiguous: boolean;

  constructor(init: RpcErrorInit) {
    super(`${init.method} at ${init.endpoint}: ${init.detail}`, { cause: init.cause });
    this.name = new.target.name;
    this.kind = init.kind;
    this.method = init.method;
    this.endpoint = init.endpoint;
    this.host_text = init.host_text ?? null;
    this.retryable = init.retryable ?? RETRYABLE.has(init.kind);
    this.ambiguous = init.ambiguous ?? false;
  }
}

export type RpcErrorClass = new (init: RpcErrorInit) => RpcError;
