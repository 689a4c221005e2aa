import type { z } from 'zod';
import type { CallOptions } from '../vmm';
import { RpcError } from '../vmm/rpcError';
import type * as s from './schemas';

/** A call to a gateway failed; kinds as in `RpcError`. */
export class GatewayError extends RpcError {}

type GatewayState = z.output<typeof s.statusReply>;
type GatewayDomains = z.output<typeof s.domainsReply>;

/**
 * Information in a gateway's admin API. Its methods that return DNS credentials in clear text, or change the
 * gateway, are deliberately missing here. Throws `GatewayError`.
 */
export interface GatewayDriver {
  readonly endpoint: string;
  status(options?: CallOptions): Promise<GatewayState>;
  /** Number of registered CVMs, and of those with a recent handshake. */
  meta(options?: CallOptions): Promise<z.output<typeof s.metaReply>>;
  /** Open connections of all nodes. */
  connections(options?: CallOptions): Promise<z.output<typeof s.connectionsReply>>;
  nodeStatuses(options?: CallOptions): Promise<z.output<typeof s.nodeStatusesReply>>;
  /** The domains it serves, with their certificates. */
  domains(options?: CallOptions): Promise<GatewayDomains>;
  close(): Promise<void>;
}

export interface GatewayOptions {
  /** `http://127.0.0.1:8011`, `https://…`, `unix:/path` */
  url: string;
  token: string | null;
}

export type GatewayFactory = (options: GatewayOptions) => GatewayDriver;

/** The columns of a gateway that decide how to connect to it. */
export interface GatewayEndpoint {
  id: number;
  url: string;
  sealed_credential: string | null;
}

/** One live driver per gateway. */
export interface GatewayClients {
  /** @throws GatewayError `unsupported` if the row's URL is unusable */
  get(row: GatewayEndpoint): GatewayDriver;
  /** forget a deleted gateway */
  drop(id: number): void;
  close(): Promise<void>;
}
