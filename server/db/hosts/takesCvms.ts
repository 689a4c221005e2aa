import { sql } from 'kysely';
import type { NodeRow } from './nodesTable';

const IN_WINDOW = sql<boolean>`exists (select 1 from maintenance_windows w
  where w.node_id = n.id and w.ended_at is null and w.starts_at <= now() and w.ends_at > now())`;

/** The state of node `n`, which is in maintenance during a maintenance window too. */
export const NODE_STATE = sql<NodeRow['state']>`
  case when n.state = 'online' and ${IN_WINDOW} then 'maintenance' else n.state end`;

/** What teepod `t` on node `n` must be to accept new CVMs. */
export const OPEN_WHEN = {
  teepod_online: sql<boolean>`t.state = 'online'`,
  node_online: sql<boolean>`n.state = 'online'`,
  reachable: sql<boolean>`t.reachable`,
  outside_window: sql<boolean>`not ${IN_WINDOW}`,
};

/** Whether teepod `t` on node `n` accepts new CVMs now. */
export const TAKES_CVMS = sql<boolean>`(${sql.join(Object.values(OPEN_WHEN), sql` and `)})`;
