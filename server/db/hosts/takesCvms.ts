import { sql } from 'kysely';

/** Whether teepod `t` on node `n` accepts new CVMs now. */
export const TAKES_CVMS = sql<boolean>`(t.state = 'online' and n.state = 'online' and t.reachable and not exists (
  select 1 from maintenance_windows w
  where w.node_id = n.id and w.ended_at is null and w.starts_at <= now() and w.ends_at > now()))`;
