import { utcMinute } from '../../core/dates';
import { named, oneLine, unlinked } from './plain';
import { hostOf, originFacts, pages, nameAndAddress, worksUntil } from './site';
import type { Content, MailTemplates, Site, SsoDomain, TeamRole } from './types';

type Templates<T extends keyof MailTemplates> = {
  [K in T]: (data: MailTemplates[K], site: Site) => Content;
};

const ROLES: Record<TeamRole, string> = {
  viewer: 'a viewer: you can view apps, CVMs and logs, but not change anything',
  member: 'a member: you can deploy and run apps',
  billing:
    'a billing member: you can view apps, logs, usage and cost, add funds and redeem codes, but not change apps',
  admin: 'an admin: you can deploy and manage members and tokens',
  owner: 'an owner: you can do everything, including deleting the team',
};

const inTeam = (team_name: string, site: Site) =>
  `You’re receiving this because you are in the team ${named(team_name)} on ${hostOf(site)}.`;
const wasInTeam = (team_name: string, site: Site) =>
  `You’re receiving this because you were in the team ${named(team_name)} on ${hostOf(site)}.`;

/** What the team may rely on. Any of its members can use the offer. */
const heldUntil = (until: Date) =>
  `This capacity is held for your team until ${utcMinute(until)}, or until your team deploys this much. After that, any team can have it.`;

const SSO = { added: 'set up', changed: 'changed', removed: 'removed' } as const;

/** Mail about a team. */
export const teamMails: Templates<
  | 'invitation'
  | 'invitation_accepted'
  | 'invitation_declined'
  | 'removed_from_team'
  | 'role_changed'
  | 'team_transferred'
  | 'team_deleted'
  | 'token_created'
  | 'sso_changed'
  | 'sso_domain_missing'
  | 'sso_suspended'
  | 'sso_restored'
  | 'gpus_free'
  | 'room_free'
> = {
  gpus_free: ({ gpus, team_name, team_slug, until }, site) => {
    const what = gpus === 1 ? 'A GPU is free' : `${gpus} GPUs are free`;
    return {
      subject: `${what} for ${named(team_name)}`,
      heading: what,
      body: [
        `A host available to ${named(team_name)} now has the GPUs you were waiting for. ${heldUntil(until)}`,
      ],
      action: { label: 'View GPUs', url: pages.gpuTee(site, team_slug) },
      after: ['You’re no longer on the waitlist. If the capacity is gone when you deploy, join it again.'],
      because: `You’re receiving this because you joined the waitlist for GPUs on ${hostOf(site)}.`,
    };
  },

  room_free: ({ room, team_name, team_slug, until }, site) => ({
    subject: `Capacity is available for ${named(team_name)}`,
    heading: 'Capacity is available',
    body: [
      `A host available to ${named(team_name)} now has the capacity you were waiting for: ${room}. ${heldUntil(until)}`,
    ],
    action: { label: 'Deploy', url: pages.deploy(site, team_slug) },
    after: ['You’re no longer on the waitlist. If the capacity is gone when you deploy, join it again.'],
    because: `You’re receiving this because you joined the waitlist for this size on ${hostOf(site)}.`,
  }),

  invitation: ({ token, team_name, role, inviter_name, inviter_email, expires_at }, site) => ({
    subject: `You’re invited to join ${named(team_name)} on ${site.brand}`,
    heading: `Join ${named(team_name)}`,
    body: [
      `${nameAndAddress(inviter_name, inviter_email)} invites you to the team ${named(team_name)} on ${hostOf(site)}, as ${ROLES[role]}.`,
      'You can accept or decline. If you don’t have an account, you can create one when you accept.',
    ],
    action: { label: 'View invitation', url: pages.invitation(site, token) },
    after: [
      worksUntil(expires_at),
      'If you don’t know the sender, ignore this email. Nobody is notified that you received it.',
    ],
    because: `You’re receiving this because a user on ${hostOf(site)} entered this address to invite you.`,
  }),

  invitation_accepted: ({ team_name, team_slug, role, invitee_name, invitee_email }, site) => ({
    subject: `${named(invitee_name)} joined your team ${named(team_name)}`,
    heading: 'Your invitation was accepted',
    body: [
      `${nameAndAddress(invitee_name, invitee_email)} accepted your invitation and is now in ${named(team_name)}, with the role ${role}.`,
    ],
    action: { label: 'View members', url: pages.members(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  invitation_declined: ({ team_name, team_slug, invitee_email }, site) => ({
    subject: `An invitation to your team ${named(team_name)} was declined`,
    heading: 'Your invitation was declined',
    body: [`${oneLine(invitee_email)} declined your invitation to ${named(team_name)}.`],
    action: { label: 'View members', url: pages.members(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  removed_from_team: ({ team_name, by }, site) => ({
    subject: `You were removed from the team ${named(team_name)}`,
    heading: 'You were removed from a team',
    body: [
      `${named(by)} removed you from ${named(team_name)} on ${hostOf(site)}. Your tokens for this team no longer work. Your account isn’t affected.`,
    ],
    because: wasInTeam(team_name, site),
  }),

  role_changed: ({ team_name, team_slug, before, after, by }, site) => ({
    subject: `Your role in the team ${named(team_name)} was changed`,
    heading: 'Your role was changed',
    body: [
      `${named(by)} changed your role in ${named(team_name)} from ${before} to ${after}. You are now ${ROLES[after]}.`,
    ],
    action: { label: 'Open team', url: pages.team(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  team_transferred: ({ team_name, team_slug, by, new_owner, to_you }, site) => ({
    subject: to_you
      ? `You now own the team ${named(team_name)}`
      : `The team ${named(team_name)} has a new owner`,
    heading: to_you ? 'You own a team' : 'Your team has a new owner',
    body: [
      to_you
        ? `${named(by)} transferred ${named(team_name)} to you. You are now ${ROLES.owner}.`
        : `${named(by)} transferred ${named(team_name)} to ${named(new_owner)}.`,
    ],
    action: { label: 'View members', url: pages.members(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  team_deleted: ({ team_name, by }, site) => ({
    subject: `The team ${named(team_name)} was deleted`,
    heading: 'A team was deleted',
    body: [
      `${by === null ? 'An administrator' : named(by)} deleted the team ${named(team_name)} on ${hostOf(site)} with its apps and tokens. Your account isn’t affected.`,
    ],
    because: wasInTeam(team_name, site),
  }),

  token_created: ({ team_name, team_slug, token_name, scopes, expires_at, ...origin }, site) => ({
    subject: `An API token for the team ${named(team_name)} was created in your name`,
    heading: 'An API token was created in your name',
    body: [
      `The token ${named(token_name)} was created from your account and acts for you in ${named(team_name)}.`,
    ],
    facts: [
      ['Scopes', scopesOf(scopes)],
      ['Expires', expires_at === null ? 'when it is revoked' : utcMinute(expires_at)],
      ...originFacts(origin),
    ],
    action: { label: 'View tokens', url: pages.tokens(site, team_slug) },
    after: [
      `If this wasn’t you, revoke it there, then set a new password at ${pages.forgotten(site)}, which ends every session.`,
    ],
    because: inTeam(team_name, site),
  }),

  sso_changed: ({ team_name, team_slug, by, change, issuer, domain }, site) => ({
    subject: `Single sign-on for the team ${named(team_name)} was ${SSO[change]}`,
    heading: `Single sign-on was ${SSO[change]}`,
    body: [
      `${named(by)} ${SSO[change]} single sign-on for ${named(team_name)}. Anyone who controls the identity provider controls access to the team, so make sure that this change is intended.`,
    ],
    facts: [
      ['Provider', unlinked(oneLine(issuer).slice(0, 200))],
      ...(domain === null ? [] : [['Domain', unlinked(oneLine(domain).slice(0, 253))] as [string, string]]),
    ],
    action: { label: 'View team security', url: `${pages.members(site, team_slug)}?tab=security` },
    because: inTeam(team_name, site),
  }),

  sso_domain_missing: ({ team_name, team_slug, suspends_at, ...record }, site) => ({
    subject: `Action needed: single sign-on for ${named(team_name)} will be suspended`,
    heading: 'The TXT record of your domain is missing',
    body: [
      `The daily check didn’t find the TXT record that verifies the domain of ${named(team_name)}. Publish it again before ${utcMinute(suspends_at)}. After that, single sign-on is suspended: nobody can sign in through it, its sessions end, and the team no longer requires it.`,
    ],
    facts: recordFacts({ team_name, team_slug, ...record }),
    action: { label: 'Open single sign-on', url: pages.security(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  sso_suspended: ({ team_name, team_slug, ...record }, site) => ({
    subject: `Single sign-on for ${named(team_name)} is suspended`,
    heading: 'Single sign-on is suspended',
    body: [
      `The TXT record that verifies the domain of ${named(team_name)} is still missing. Nobody can sign in through the provider, and its sessions have ended. Members sign in with their own password or passkey; those without one can request a reset link at ${pages.forgotten(site)}.`,
      'Publish the record again and single sign-on resumes with the next daily check, or when you select Verify.',
    ],
    facts: recordFacts({ team_name, team_slug, ...record }),
    action: { label: 'Open single sign-on', url: pages.security(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  sso_restored: ({ team_name, team_slug, ...record }, site) => ({
    subject: `Single sign-on for ${named(team_name)} works again`,
    heading: 'Single sign-on is restored',
    body: [
      `The TXT record that verifies the domain of ${named(team_name)} is back. Members can sign in through the provider, and it’s required again if it was before.`,
    ],
    facts: recordFacts({ team_name, team_slug, ...record }),
    action: { label: 'Open single sign-on', url: pages.security(site, team_slug) },
    because: inTeam(team_name, site),
  }),
};

const recordFacts = ({ domain, txt_name, txt_value }: SsoDomain): [string, string][] => [
  ['Domain', unlinked(oneLine(domain).slice(0, 253))],
  ['TXT record', unlinked(oneLine(txt_name).slice(0, 300))],
  ['Value', unlinked(oneLine(txt_value).slice(0, 300))],
];

const scopesOf = (scopes: string[]) =>
  scopes.includes('*') ? 'everything you can do' : scopes.map(oneLine).join(', ').slice(0, 300);
