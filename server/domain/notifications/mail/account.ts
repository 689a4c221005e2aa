import { cutWhole } from '../../../../console/lib/texts/cutWhole';
import { named, oneLine, unlinked } from './plain';
import { hostOf, originFacts, pages, worksUntil } from './site';
import type { Content, MailTemplates, SecondFactorMethod, Site } from './types';

type Templates<T extends keyof MailTemplates> = {
  [K in T]: (data: MailTemplates[K], site: Site) => Content;
};

const yours = (site: Site) =>
  `You’re receiving this because this address belongs to an account on ${hostOf(site)}.`;
const notYou = (site: Site) =>
  `If this wasn’t you, set a new password immediately at ${pages.forgotten(site)}, which ends every session. Then check the second factors and sessions in your account settings.`;

const METHODS: Record<SecondFactorMethod, string> = {
  totp: 'an authenticator app',
  passkey: 'a passkey',
  recovery_codes: 'recovery codes',
};

const SIGN_INS = {
  password: 'Password',
  passkey: 'Passkey',
  sso: 'Single sign-on',
  staff_sso: 'Staff single sign-on',
  break_glass: 'Break-glass link',
} as const;

const methodOf = ({ method, name }: { method: SecondFactorMethod; name: string | null }) =>
  name === null || method !== 'passkey' ? METHODS[method] : `the passkey ${named(name)}`;

/** Mail about the recipient's own account. */
export const accountMails: Templates<
  | 'verify_email'
  | 'account_exists'
  | 'reset_password'
  | 'password_changed'
  | 'email_change_confirm_old'
  | 'email_change_confirm_new'
  | 'email_changed'
  | 'second_factor_enabled'
  | 'second_factor_disabled'
  | 'second_factor_reset'
  | 'recovery_code_used'
  | 'new_sign_in'
  | 'sso_linked'
  | 'staff_sso_linked'
  | 'break_glass_used'
  | 'sso_unlinked'
  | 'account_deleted'
> = {
  verify_email: ({ token, expires_at }, site) => ({
    subject: `Confirm your email address for ${site.brand}`,
    heading: 'Confirm your email address',
    body: [`An account on ${hostOf(site)} was created with this address. Confirm that the address is yours.`],
    action: { label: 'Confirm address', url: pages.verifyEmail(site, token) },
    after: [worksUntil(expires_at), 'If you didn’t create an account, ignore this email.'],
    because: `You’re receiving this because this address was entered on ${hostOf(site)}.`,
  }),

  account_exists: (origin, site) => ({
    subject: `You already have a ${site.brand} account`,
    heading: 'You already have an account',
    body: [
      `Someone tried to register on ${hostOf(site)} with this address, but it already has an account. If it was you, sign in with your existing password.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Sign in', url: pages.login(site) },
    after: [
      `If you forgot the password, set a new one at ${pages.forgotten(site)}.`,
      'If it wasn’t you, ignore this email. Nothing about your account was revealed.',
    ],
    because: yours(site),
  }),

  reset_password: ({ token, expires_at, ...origin }, site) => ({
    subject: `Set a new password for ${site.brand}`,
    heading: 'Set a new password',
    body: [
      `We received a request to reset the password of your account on ${hostOf(site)}.`,
      'Your second factor doesn’t change, and you’ll still need it to sign in.',
    ],
    facts: originFacts(origin),
    action: { label: 'Set a new password', url: pages.resetPassword(site, token) },
    after: [
      worksUntil(expires_at),
      'If you didn’t request this, ignore this email. Your password stays the same.',
    ],
    because: yours(site),
  }),

  password_changed: (origin, site) => ({
    subject: `Your ${site.brand} password was changed`,
    heading: 'Your password was changed',
    body: [`The password of your account on ${hostOf(site)} was changed, and all other sessions have ended.`],
    facts: originFacts(origin),
    after: [notYou(site)],
    because: yours(site),
  }),

  email_change_confirm_old: ({ token, new_email, expires_at, ...origin }, site) => ({
    subject: `Confirm the new email address of your ${site.brand} account`,
    heading: 'Change your account’s email address?',
    body: [
      `Someone signed in to your account on ${hostOf(site)} requested to change its email address to ${oneLine(new_email)}.`,
      'The change takes effect once both this address and the new one are confirmed.',
    ],
    facts: originFacts(origin),
    action: { label: 'Confirm the change', url: pages.verifyEmail(site, token) },
    after: [worksUntil(expires_at), `Nothing changes unless you confirm. ${notYou(site)}`],
    because: yours(site),
  }),

  email_change_confirm_new: ({ token, old_email, expires_at }, site) => ({
    subject: `Confirm your new email address for ${site.brand}`,
    heading: 'Confirm your new address',
    body: [
      `The account ${oneLine(old_email)} on ${hostOf(site)} is changing its email address to this one. The change takes effect once both addresses are confirmed.`,
    ],
    action: { label: 'Confirm address', url: pages.verifyEmail(site, token) },
    after: [worksUntil(expires_at), 'If you don’t recognize this, ignore this email.'],
    because: `You’re receiving this because this address was entered on ${hostOf(site)}.`,
  }),

  email_changed: ({ old_email, new_email, ...origin }, site) => ({
    subject: `Your ${site.brand} account’s email address was changed`,
    heading: 'Your account has a new address',
    body: [
      `The email address of your account on ${hostOf(site)} is now ${oneLine(new_email)} instead of ${oneLine(old_email)}. Use the new address to sign in.`,
    ],
    facts: originFacts(origin),
    after: [
      'If this wasn’t you, contact this server’s administrator immediately. They can restore your account.',
    ],
    because: `You’re receiving this because this address belongs or belonged to an account on ${hostOf(site)}.`,
  }),

  second_factor_enabled: ({ method, name, ...origin }, site) => ({
    subject: `A second factor was added to your ${site.brand} account`,
    heading: 'A second factor was added',
    body: [
      method === 'recovery_codes'
        ? `New recovery codes were created for your account on ${hostOf(site)}. The old ones no longer work.`
        : `You can now sign in to your account on ${hostOf(site)} with ${methodOf({ method, name })}.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Account settings', url: pages.settings(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  second_factor_disabled: ({ method, name, ...origin }, site) => ({
    subject: `A second factor was removed from your ${site.brand} account`,
    heading: 'A second factor was removed',
    body: [`Your account on ${hostOf(site)} no longer accepts ${methodOf({ method, name })}.`],
    facts: originFacts(origin),
    action: { label: 'Account settings', url: pages.settings(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  second_factor_reset: ({ sessions }, site) => ({
    subject: `The second factors of your ${site.brand} account were removed`,
    heading: 'Your second factors were removed',
    body: [
      `An administrator of ${hostOf(site)} removed all second factors and recovery codes of your account${sessions > 0 ? ' and ended its sessions' : ''}. Until you add one, you sign in with your password alone.`,
    ],
    action: { label: 'Account settings', url: pages.settings(site) },
    after: ['If you didn’t request this, contact this server’s administrator immediately.'],
    because: yours(site),
  }),

  recovery_code_used: ({ remaining, ...origin }, site) => ({
    subject: `A recovery code for your ${site.brand} account was used`,
    heading: 'A recovery code was used',
    body: [
      `Someone signed in to your account on ${hostOf(site)} with the password and a recovery code.`,
      remaining === 0
        ? 'It was your last code. Create new ones now, or you’ll be locked out if you lose your other factor.'
        : `${remaining === 1 ? 'One code is' : `${remaining} codes are`} left.`,
    ],
    facts: originFacts(origin),
    action: { label: 'Account settings', url: pages.settings(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  new_sign_in: ({ method, ...origin }, site) => ({
    subject: `New sign-in to your ${site.brand} account`,
    heading: 'New sign-in',
    body: [`Your account on ${hostOf(site)} was used to sign in from a new device.`],
    facts: [...originFacts(origin), ['Signed in with', SIGN_INS[method]]],
    action: { label: 'Review sessions', url: pages.settings(site) },
    after: ['If this was you, no action is needed.', notYou(site)],
    because: yours(site),
  }),

  sso_linked: ({ team_name, domain, ...origin }, site) => ({
    subject: `${named(team_name)} single sign-on was linked to your account`,
    heading: 'Single sign-on was linked to your account',
    body: [
      `${named(team_name)}’s identity provider can now sign you in to that team on ${hostOf(site)}. It can’t reach your other teams or your account settings.`,
    ],
    facts: [['Domain', unlinked(oneLine(domain).slice(0, 253))], ...originFacts(origin)],
    action: { label: 'Review linked providers', url: pages.linkedProviders(site) },
    after: [
      `If this wasn’t you, unlink it there. To sign in without the provider, set a password at ${pages.forgotten(site)}.`,
    ],
    because: yours(site),
  }),

  staff_sso_linked: ({ name, issuer, ...origin }, site) => ({
    subject: `${named(name)} was linked to your ${site.brand} account`,
    heading: 'Staff sign-in was linked to your account',
    body: [
      `The identity provider that ${hostOf(site)} uses for its staff can now sign you in with your platform role.`,
    ],
    facts: [['Provider', unlinked(oneLine(issuer).slice(0, 253))], ...originFacts(origin)],
    action: { label: 'Review sessions', url: pages.settings(site) },
    after: ['If this wasn’t you, contact an administrator of this server.'],
    because: yours(site),
  }),

  break_glass_used: ({ username, reason, ends_at, ...origin }, site) => ({
    subject: `Break-glass sign-in on ${site.brand}`,
    heading: 'An administrator signed in with a break-glass link',
    body: [
      `${unlinked(cutWhole(oneLine(username), 100))} signed in to ${hostOf(site)} with a link created on the server, bypassing staff single sign-on.`,
    ],
    facts: [['Reason', unlinked(cutWhole(oneLine(reason), 500))], ...originFacts(origin)],
    after: [
      worksUntil(ends_at),
      'If this wasn’t planned, end the user’s sessions in the admin area and check who has access to the server.',
    ],
    because: `You’re receiving this because you are an administrator of ${hostOf(site)}.`,
  }),

  sso_unlinked: ({ team_name, domain, ...origin }, site) => ({
    subject: `${named(team_name)} single sign-on was unlinked from your account`,
    heading: 'Single sign-on was unlinked',
    body: [
      `${named(team_name)}’s identity provider can no longer sign you in on ${hostOf(site)}. Sessions it opened have ended, and API tokens created in them are revoked.`,
    ],
    facts: [['Domain', unlinked(oneLine(domain).slice(0, 253))], ...originFacts(origin)],
    action: { label: 'Review linked providers', url: pages.linkedProviders(site) },
    after: [notYou(site)],
    because: yours(site),
  }),

  account_deleted: (origin, site) => ({
    subject: `Your ${site.brand} account was deleted`,
    heading: 'Your account was deleted',
    body: [
      `Your account on ${hostOf(site)} was deleted with its keys, tokens and sessions. Invoices are kept as required by law.`,
    ],
    facts: originFacts(origin),
    because: `You’re receiving this because this address belonged to an account on ${hostOf(site)}. This is the last email to it.`,
  }),
};
