import type { NotificationKind } from '../notify';

/** Where an action came from, so that its owner can tell whether it was theirs; null is what is not known. */
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

/** One thing of a digest. */
export interface NotificationItem {
  title: string;
  message: string;
  team_name: string;
  team_slug: string;
  /** Of the CVM it is about, while there is one. */
  vm_uuid: string | null;
  /** When it happened last, and how often. */
  at: Date;
  count: number;
  resolved_at: Date | null;
}

/** Every mail there is and what it tells. Names, addresses and tokens come as they are: templates make them safe. */
export interface MailTemplates {
  verify_email: { token: string; expires_at: Date };
  /** Somebody registered with the address of an account: its owner is told, the registrant is not. */
  account_exists: Origin;
  reset_password: Origin & { token: string; expires_at: Date };
  password_changed: Origin;
  email_change_confirm_old: Origin & { token: string; new_email: string; expires_at: Date };
  email_change_confirm_new: { token: string; old_email: string; expires_at: Date };
  email_changed: Origin & { old_email: string; new_email: string };
  second_factor_enabled: Origin & { method: SecondFactorMethod; name: string | null };
  second_factor_disabled: Origin & { method: SecondFactorMethod; name: string | null };
  recovery_code_used: Origin & { remaining: number };
  new_sign_in: Origin & { method: 'password' | 'passkey' | 'sso' };
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
  /** `by`: name of who did it, here and below. */
  removed_from_team: { team_name: string; by: string };
  role_changed: { team_name: string; team_slug: string; before: TeamRole; after: TeamRole; by: string };
  /** `to_you`: it is sent to the new owner. */
  team_transferred: { team_name: string; team_slug: string; by: string; new_owner: string; to_you: boolean };
  team_deleted: { team_name: string; by: string };
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
  account_deleted: Origin;
  /** `more`: how many are not among `items`. */
  notification_digest: {
    kind: NotificationKind;
    items: NotificationItem[];
    more: number;
    unsubscribe_url: string;
  };
}

export type MailTemplate = keyof MailTemplates;

/** One mail to write: whom to, which, and what it tells. Internal ids are for finding it again. */
export type Mail = {
  [T in MailTemplate]: {
    to: string;
    template: T;
    data: MailTemplates[T];
    user_id?: number | null;
    team_id?: number | null;
  };
}[MailTemplate];

/** What a template says, before it is laid out: plain text throughout. */
export interface Content {
  subject: string;
  heading: string;
  /** One paragraph each. */
  body: string[];
  facts?: [label: string, value: string][];
  action?: { label: string; url: string };
  /** After the action: how long it works, what to do when this was somebody else. */
  after?: string[];
  /** Why the reader gets this mail. */
  because: string;
  /** Where the reader's mail program ends mail of this kind (RFC 8058); only what one can do without has it. */
  unsubscribe_url?: string;
}

/** A mail as it goes out. Holds single-use links: sealed wherever it is stored. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
  unsubscribe_url?: string;
}

/** Where this installation is reached; templates build every address on it. */
export interface Site {
  /** Origin, such as `https://cloud.example.com`. */
  url: string;
}
