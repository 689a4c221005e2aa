import type { NotificationKind } from '../notify';

/** Where an action came from, so that the account's owner can recognize it; null where unknown. */
export interface Origin {
  at: Date;
  ip: string | null;
  /** "Firefox on Linux" */
  device: string | null;
  /** "Germany" */
  place: string | null;
}

export type TeamRole = 'viewer' | 'member' | 'billing' | 'admin' | 'owner';

export type SecondFactorMethod = 'totp' | 'passkey' | 'recovery_codes';

/** One item of a digest. */
export interface NotificationItem {
  title: string;
  message: string;
  team_name: string;
  team_slug: string;
  /** The CVM it concerns, if any. */
  vm_uuid: string | null;
  /** The latest occurrence; `count` has the total. */
  at: Date;
  count: number;
  resolved_at: Date | null;
  /** Titles the mail. Mail written by an earlier version has no such items. */
  urgent?: boolean;
  /**
   * For `host_trouble`: the host that stopped responding. Not for a CVM whose host is drained or under
   * maintenance.
   */
  silent_host?: string;
}

/** Proof of a connection's domain. */
export interface SsoDomain {
  team_name: string;
  team_slug: string;
  domain: string;
  txt_name: string;
  txt_value: string;
}

/** Every mail template and its data. Names, addresses and tokens are passed raw: templates escape them. */
export interface MailTemplates {
  verify_email: { token: string; expires_at: Date };
  /** Someone registered with an existing account's address: notifies the owner, not the registrant. */
  account_exists: Origin;
  reset_password: Origin & { token: string; expires_at: Date };
  password_changed: Origin;
  email_change_confirm_old: Origin & { token: string; new_email: string; expires_at: Date };
  email_change_confirm_new: { token: string; old_email: string; expires_at: Date };
  email_changed: Origin & { old_email: string; new_email: string };
  second_factor_enabled: Origin & { method: SecondFactorMethod; name: string | null };
  second_factor_disabled: Origin & { method: SecondFactorMethod; name: string | null };
  /** By an administrator. */
  second_factor_reset: { sessions: number };
  recovery_code_used: Origin & { remaining: number };
  new_sign_in: Origin & { method: 'password' | 'passkey' | 'sso' | 'staff_sso' | 'break_glass' };
  invitation: {
    token: string;
    team_name: string;
    role: TeamRole;
    inviter_name: string;
    inviter_email: string;
    expires_at: Date;
  };
  invitation_accepted: {
    team_name: string;
    team_slug: string;
    role: TeamRole;
    invitee_name: string;
    invitee_email: string;
  };
  invitation_declined: { team_name: string; team_slug: string; invitee_email: string };
  /** `by`: the actor's name, here and below. */
  removed_from_team: { team_name: string; by: string };
  role_changed: { team_name: string; team_slug: string; before: TeamRole; after: TeamRole; by: string };
  /** `to_you`: the recipient is the new owner. */
  team_transferred: { team_name: string; team_slug: string; by: string; new_owner: string; to_you: boolean };
  /** `by` null: an administrator of the server. */
  team_deleted: { team_name: string; by: string | null };
  token_created: Origin & {
    team_name: string;
    team_slug: string;
    token_name: string;
    scopes: string[];
    expires_at: Date | null;
  };
  sso_changed: {
    team_name: string;
    team_slug: string;
    by: string;
    change: 'added' | 'changed' | 'removed';
    issuer: string;
    domain: string | null;
  };
  /** A team's provider can now sign the account in to that team. */
  sso_linked: Origin & { team_name: string; domain: string };
  /** The staff provider can now sign the account in. */
  staff_sso_linked: Origin & { name: string; issuer: string };
  /** To all administrators. */
  break_glass_used: Origin & { username: string; reason: string; ends_at: Date };
  sso_unlinked: Origin & { team_name: string; domain: string };
  /** The daily check didn't find the TXT record, the connection was suspended, or it works again. */
  sso_domain_missing: SsoDomain & { suspends_at: Date };
  sso_suspended: SsoDomain;
  sso_restored: SsoDomain;
  account_deleted: Origin;
  /** `more`: how many are not among `items`. */
  notification_digest: {
    kind: NotificationKind;
    items: NotificationItem[];
    more: number;
    unsubscribe_url: string;
  };
  /** `until`: how long the GPUs are held for the team. */
  gpus_free: { gpus: number; team_name: string; team_slug: string; until: Date };
  /** `room`: what the member waited for, such as "4 vCPU and 8 GB memory". `until`: as above. */
  room_free: { room: string; team_name: string; team_slug: string; until: Date };
  app_watch_confirm: { app_name: string; is_simulated: boolean; token: string; expires_at: Date };
  /**
   * `before` null: it wasn't published. `check`: this server's own verification result. `diff`: marked lines.
   */
  app_changed: WatchedApp & {
    before: WatchedVersion | null;
    after: WatchedVersion;
    /** The version whose page shows the change; null if no page shows all of it. */
    version: number | null;
    is_simulated: boolean;
    check: string | null;
    diff: string[];
  };
  app_unpublished: WatchedApp;
}

/** A published app that the recipient watches. */
interface WatchedApp {
  app_id: string;
  app_name: string;
  token: string;
  unsubscribe_url: string;
}

interface WatchedVersion {
  compose_hash: string;
  os_image: string;
}

export type MailTemplate = keyof MailTemplates;

/** One email to render: recipient, template and data. Internal IDs let it be found again. */
export type Mail = {
  [T in MailTemplate]: {
    to: string;
    template: T;
    data: MailTemplates[T];
    user_id?: number | null;
    team_id?: number | null;
  };
}[MailTemplate];

/** A template's content before layout: plain text throughout. */
export interface Content {
  subject: string;
  heading: string;
  /** One paragraph each. */
  body: string[];
  facts?: [label: string, value: string][];
  /** Lines whose spaces matter, such as a diff. */
  lines?: string[];
  action?: { label: string; url: string };
  /** After the action: its expiry, and advice if the action wasn't the reader's. */
  after?: string[];
  /** Why the reader receives this email. */
  because: string;
  /** One-click unsubscribe (RFC 8058); only optional mail has it. */
  unsubscribe_url?: string;
}

/** A rendered mail. Contains single-use links: sealed wherever it is stored. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  unsubscribe_url?: string;
}

/** The installation; templates build every link from its URL. */
export interface Site {
  /** Its name. */
  brand: string;
  /** Origin, such as `https://cloud.example.com`. */
  url: string;
}
