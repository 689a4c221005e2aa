import type { ZodType } from 'zod';
import type { CallOptions } from '../vmm';
import { defaultLimits } from '../vmm/rpc';
import { Transport } from '../vmm/transport';
import { GatewayError, type GatewayDriver, type GatewayOptions } from './index';
import * as replies from './schemas';

const ANSWER_MS = 5_000;
/** Status lists every CVM behind the gateway. */
const REPLY_BYTES = 8 * 1024 * 1024;

/**
 * dstack-gateway's admin API over its JSON mode. Certificates are checked, because the token is sent.
 * @throws Error when the URL is invalid
 */
export function createGatewayDriver({ url, token }: GatewayOptions): GatewayDriver {
  const limits = { ...defaultLimits, reply_bytes: REPLY_BYTES, in_flight: 5 };
  const credential = token === null ? null : { type: 'bearer' as const, token };
  const transport = new Transport({
    url,
    service: 'dstack-gateway',
    credential,
    limits,
    errorClass: GatewayError,
  });
  const read =
    <T>(method: string, reply: ZodType<T>) =>
    ({ signal }: CallOptions = {}): Promise<T> =>
      transport.call({
        method,
        path: `/prpc/${method}?json`,
        body: {},
        reply,
        deadline_ms: ANSWER_MS,
        mutates: false,
        signal,
      });
  return {
    endpoint: transport.endpoint.label,
    status: read('Status', replies.statusReply),
    meta: read('GetMeta', replies.metaReply),
    connections: read('GetGlobalConnections', replies.connectionsReply),
    nodeStatuses: read('GetNodeStatuses', replies.nodeStatusesReply),
    domains: read('ListZtDomains', replies.domainsReply),
    close: () => transport.close(),
  };
}
