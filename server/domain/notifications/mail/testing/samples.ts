import type { MailTemplate, MailTemplates } from '../types';

export const TOKEN = `thk_lnk_${'4fGh'.repeat(9)}Zz`;

const expires_at = new Date('2026-11-28T08:30:00Z');
const origin = {
  at: new Date('2026-11-21T08:30:00Z'),
  ip: '203.0.113.7',
  device: 'Firefox on Linux',
  place: 'Germany',
};

const record = {
  domain: 'example.test',
  txt_name: '_teehouse-challenge.example.test',
  txt_value: 'teehouse-verification=4f8Kx9Qz',
};

/** One of each, with realistic data; `name` fills every user-chosen text. */
export const samples = (name = 'Grüne Teestube 茶'): { [T in MailTemplate]: MailTemplates[T] } => {
  const team = { team_name: name, team_slug: 'gruene-teestube' };
  const watched = {
    app_id: '50b0ffd2d4bd4b8ec1f01d8aa23e5b0d2f6c8cc1',
    app_name: name,
    token: 'wtc_1-mac',
    unsubscribe_url: 'https://cloud.example.test/api/v1/explorer/watches/end?token=wtc_1-mac',
  };
  return {
    verify_email: { token: TOKEN, expires_at },
    account_exists: origin,
    reset_password: { ...origin, token: TOKEN, expires_at },
    password_changed: origin,
    email_change_confirm_old: { ...origin, token: TOKEN, new_email: 'ada@new.example', expires_at },
    email_change_confirm_new: { token: TOKEN, old_email: 'ada@old.example', expires_at },
    email_changed: { ...origin, old_email: 'ada@old.example', new_email: 'ada@new.example' },
    second_factor_enabled: { ...origin, method: 'passkey', name },
    second_factor_disabled: { ...origin, method: 'totp', name: null },
    second_factor_reset: { sessions: 2 },
    recovery_code_used: { ...origin, remaining: 3 },
    new_sign_in: { ...origin, method: 'password' },
    invitation: {
      token: TOKEN,
      team_name: name,
      role: 'member',
      inviter_name: name,
      inviter_email: 'ada@example.test',
      expires_at,
    },
    invitation_accepted: { ...team, role: 'viewer', invitee_name: name, invitee_email: 'bob@example.test' },
    invitation_declined: { ...team, invitee_email: 'bob@example.test' },
    removed_from_team: { team_name: name, by: name },
    role_changed: { ...team, before: 'viewer', after: 'admin', by: name },
    team_transferred: { ...team, by: name, new_owner: name, to_you: true },
    team_deleted: { team_name: name, by: name },
    token_created: {
      ...origin,
      ...team,
      token_name: name,
      scopes: ['cvms:*', 'nodes:read'],
      expires_at: null,
    },
    sso_changed: {
      ...team,
      by: name,
      change: 'added',
      issuer: 'https://id.example.test',
      domain: 'example.test',
    },
    sso_linked: { ...origin, team_name: name, domain: 'example.test' },
    staff_sso_linked: { ...origin, name: 'Staff sign-in', issuer: 'https://id.example.test' },
    break_glass_used: { ...origin, username: name, reason: 'The provider is down.', ends_at: expires_at },
    sso_unlinked: { ...origin, team_name: name, domain: 'example.test' },
    sso_domain_missing: { ...team, ...record, suspends_at: expires_at },
    sso_suspended: { ...team, ...record },
    sso_restored: { ...team, ...record },
    account_deleted: origin,
    notification_digest: {
      kind: 'operation_failed',
      items: [
        {
          title: 'Update failed: web',
          message: `Update failed: ${name} did not boot.`,
          ...team,
          vm_uuid: 'b7a3c1f0-5d1e-4a55-9a06-0d9f4b6a2c11',
          at: origin.at,
          count: 2,
          resolved_at: null,
        },
      ],
      more: 0,
      unsubscribe_url:
        'https://cloud.example.test/api/v1/notifications/unsubscribe?token=usr_1.operation_failed.mac',
    },
    gpus_free: { ...team, gpus: 2, until: expires_at },
    room_free: { ...team, room: '4 vCPU, 8 GB memory and 40 GB disk', until: expires_at },
    app_watch_confirm: { app_name: name, is_simulated: true, token: TOKEN, expires_at },
    app_changed: {
      ...watched,
      before: { compose_hash: 'aa'.repeat(32), os_image: 'dstack-0.5.7' },
      after: { compose_hash: 'bb'.repeat(32), os_image: 'dstack-0.5.8' },
      version: 8,
      is_simulated: false,
      check: 'verified with exceptions',
      diff: ['  services:', '    web:', `-     image: ${name.slice(0, 100)}`, '+     image: nginx:1.27'],
    },
    app_unpublished: watched,
  };
};
