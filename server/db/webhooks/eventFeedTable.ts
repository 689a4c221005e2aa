import type { ColumnType, GeneratedAlways, Selectable } from 'kysely';
import type { Json } from '../core/json';

/**
 * One row per event not yet processed for webhooks and notifications. Written by a trigger on `events`,
 * deleted when processed (migration 0012_webhooks).
 */
export interface EventFeedTable {
  id: GeneratedAlways<number>;
  event_id: number;
  team_id: number;
  cvm_id: number | null;
  operation_id: number | null;
  kind: string;
  severity: 'info' | 'warning' | 'error';
  message: string;
  data: ColumnType<Json, string, string>;
  /** As of the event, like the next three columns: the CVM may have changed since. */
  cvm_name: string | null;
  cvm_status: string | null;
  vm_uuid: string | null;
  app_id: string | null;
  created_at: Date;
}

export type EventFeedRow = Selectable<EventFeedTable>;
