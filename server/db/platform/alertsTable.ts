import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { AdminAlertKind } from '../../../generated/api/types.gen';

/** One row per alert for the operators. Opened and resolved by the alert job (migration 0023_chat). */
export interface AlertsTable {
  id: GeneratedAlways<number>;
  kind: AdminAlertKind;
  /** Its subject, e.g. `teepod:7` or `queue:mail`. */
  subject: string;
  severity: 'warning' | 'critical';
  title: string;
  message: string;
  /** Times it has occurred. */
  count: Generated<number>;
  opened_at: Generated<Date>;
  updated_at: Generated<Date>;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  resolved_at: Date | null;
  /** Counts changes shown in chats; messages with an older one are updated. */
  revision: Generated<number>;
}

export type AlertRow = Selectable<AlertsTable>;
