import { z } from 'zod';
import { flag, list, orNull, text } from '../vmm/replyFields';

/*
 * Replies of dstack-gateway's admin API in JSON mode. Fields missing in a version are absent; unlisted ones,
 * such as the ID of a DNS credential, are dropped.
 */
const count = z
  .number()
  .nullish()
  .transform((v) => Math.min(Math.max(0, Math.trunc(v ?? 0)), Number.MAX_SAFE_INTEGER));

/** Times are Unix seconds; 0 is never. */
export const statusReply = z.object({
  id: count,
  url: text,
  num_connections: count,
  hosts: list(
    z.object({
      instance_id: text,
      app_id: text,
      ip: text,
      base_domain: text,
      latest_handshake: count,
      num_connections: count,
    }),
  ),
  nodes: list(z.object({ id: count, url: text, last_seen: count })),
});
export const metaReply = z.object({ registered: count, online: count });
export const connectionsReply = z.object({ total_connections: count });
export const nodeStatusesReply = z.object({ statuses: list(z.object({ node_id: count, status: text })) });
export const domainsReply = z.object({
  domains: list(
    z.object({
      config: z.object({ domain: text, port: count, node: count }),
      cert_status: orNull(
        z.object({
          has_cert: flag,
          not_after: count,
          issued_by: count,
          issued_at: count,
          loaded_in_memory: flag,
        }),
      ),
    }),
  ),
});
