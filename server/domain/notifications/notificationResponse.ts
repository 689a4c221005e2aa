import type { Notification } from '../../../generated/api/types.gen';
import type { NotificationKind } from './notify';
import { cvmRef, iso } from '../core/references';

export interface NotificationFields {
  public_id: string;
  kind: NotificationKind;
  severity: 'info' | 'warning' | 'error';
  title: string;
  message: string;
  count: number;
  created_at: Date;
  updated_at: Date;
  resolved_at: Date | null;
  read_at: Date | null;
  team_public_id: string;
  team_name: string;
  team_slug: string;
  cvm_public_id: string | null;
  cvm_name: string | null;
  vm_uuid: string | null;
  app_id: string | null;
  finance_action_id: number | null;
}

export const teamRef = (team: { public_id: string; name: string; slug: string }): Notification['team'] => ({
  object_type: 'workspace',
  id: team.public_id,
  name: team.name,
  slug: team.slug,
  avatar_url: null,
});

export const notificationOut = (row: NotificationFields): Notification => ({
  id: row.public_id,
  kind: row.kind,
  severity: row.severity,
  title: row.title,
  message: row.message,
  team: teamRef({ public_id: row.team_public_id, name: row.team_name, slug: row.team_slug }),
  cvm:
    row.cvm_public_id !== null && row.cvm_name !== null && row.vm_uuid !== null && row.app_id !== null
      ? cvmRef({
          public_id: row.cvm_public_id,
          name: row.cvm_name,
          vm_uuid: row.vm_uuid,
          app_id: row.app_id,
        })
      : null,
  finance_action_id: row.finance_action_id,
  count: row.count,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  resolved_at: iso(row.resolved_at),
  read_at: iso(row.read_at),
});
