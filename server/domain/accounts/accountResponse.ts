import type { Account, AccountSession, EmailChange } from '../../../generated/api/types.gen';
import { deviceOf } from './device';
import { placeOf } from '../core/country';

interface AccountFields {
  public_id: string;
  username: string;
  email: string;
  email_verified_at: Date | null;
  password_hash: string | null;
  password_changed_at: Date | null;
  created_at: Date;
}

interface EmailChangeFields {
  email: string;
  old_confirmed_at: Date | null;
  new_confirmed_at: Date | null;
  expires_at: Date;
}

interface LinkFields {
  public_id: string;
  team_name: string;
  team_slug: string;
  domain: string;
  linked_at: Date;
  last_used_at: Date;
}

export const accountOut = (
  user: AccountFields,
  change: EmailChangeFields | null,
  sso: readonly LinkFields[],
): Account => ({
  id: user.public_id,
  username: user.username,
  email: user.email,
  email_verified: user.email_verified_at !== null,
  has_password: user.password_hash !== null,
  created_at: user.created_at.toISOString(),
  password_changed_at: user.password_changed_at?.toISOString() ?? null,
  email_change: change && emailChangeOut(change),
  sso: sso.map(({ public_id, team_name, team_slug, domain, linked_at, last_used_at }) => ({
    id: public_id,
    team_name,
    team_slug,
    domain,
    linked_at: linked_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
  })),
});

export const emailChangeOut = (change: EmailChangeFields): EmailChange => ({
  email: change.email,
  old_confirmed: change.old_confirmed_at !== null,
  new_confirmed: change.new_confirmed_at !== null,
  expires_at: change.expires_at.toISOString(),
});

interface SessionFields {
  id: number;
  public_id: string;
  ip: string | null;
  user_agent: string | null;
  auth_method: AccountSession['auth_method'];
  second_factor_at: Date | null;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
}

/** Returns a session as the account page lists it. @param current internal ID of the caller's own session */
export const accountSessionOut = (session: SessionFields, current: number | null): AccountSession => ({
  id: session.public_id,
  current: session.id === current,
  device: deviceOf(session.user_agent ?? ''),
  place: placeOf(session.ip ?? ''),
  ip: session.ip || null,
  auth_method: session.auth_method,
  second_factor: session.second_factor_at !== null,
  created_at: session.created_at.toISOString(),
  last_seen_at: session.last_seen_at.toISOString(),
  expires_at: session.expires_at.toISOString(),
});
