import { dateTime, named, oneLine, unlinked } from './plain';
import { hostOf, originFacts, pages, person, worksUntil } from './site';
import type { Content, MailTemplates, Site, TeamRole } from './types';

type Templates<T extends keyof MailTemplates> = {
  [K in T]: (data: MailTemplates[K], site: Site) => Content;
};

const ROLES: Record<TeamRole, string> = {
  viewer: 'a viewer: you can look, not change',
  member: 'a member: you can deploy and run apps',
  billing: 'billing: you can look, and see to costs and invoices',
  admin: 'an admin: you can deploy, and manage people and tokens',
  owner: 'an owner: you can do everything, deleting the team included',
};

const inTeam = (team_name: string, site: Site) =>
  `You get this because you are in the team ${named(team_name)} on ${hostOf(site)}.`;
const wasInTeam = (team_name: string, site: Site) =>
  `You get this because you were in the team ${named(team_name)} on ${hostOf(site)}.`;

const SSO = { added: 'set up', changed: 'changed', removed: 'removed' } as const;

/** What a person is told of a team. */
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
> = {
  invitation: ({ token, team_name, role, inviter_name, inviter_email, expires_at }, site) => ({
    subject: `Invitation to the team ${named(team_name)} on Teehouse`,
    heading: `Join ${named(team_name)}`,
    body: [
      `${person(inviter_name, inviter_email)} invites you to the team ${named(team_name)} on ${hostOf(site)}, as ${ROLES[role]}.`,
      'You can accept or decline. Without an account you make one on the way.',
    ],
    action: { label: 'See the invitation', url: pages.invitation(site, token) },
    after: [
      worksUntil(expires_at),
      'If you do not know who this is, do nothing: nobody is told that you got this.',
    ],
    because: `A person on ${hostOf(site)} entered this address to invite you.`,
  }),

  invitation_accepted: ({ team_name, team_slug, role, invitee_name, invitee_email }, site) => ({
    subject: `${named(invitee_name)} joined your team ${named(team_name)}`,
    heading: 'Your invitation was accepted',
    body: [
      `${person(invitee_name, invitee_email)} accepted your invitation and is now in ${named(team_name)}, with the role ${role}.`,
    ],
    action: { label: 'See the members', url: pages.members(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  invitation_declined: ({ team_name, team_slug, invitee_email }, site) => ({
    subject: `An invitation to your team ${named(team_name)} was declined`,
    heading: 'Your invitation was declined',
    body: [`${oneLine(invitee_email)} declined your invitation to ${named(team_name)}.`],
    action: { label: 'See the members', url: pages.members(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  removed_from_team: ({ team_name, by }, site) => ({
    subject: `You are no longer in the team ${named(team_name)}`,
    heading: 'You were removed from a team',
    body: [
      `${named(by)} removed you from ${named(team_name)} on ${hostOf(site)}. Your tokens of this team no longer work. Your account stays.`,
    ],
    because: wasInTeam(team_name, site),
  }),

  role_changed: ({ team_name, team_slug, before, after, by }, site) => ({
    subject: `Your role in the team ${named(team_name)} was changed`,
    heading: 'You have another role',
    body: [
      `${named(by)} changed your role in ${named(team_name)} from ${before} to ${after}. You are now ${ROLES[after]}.`,
    ],
    action: { label: 'Open the team', url: pages.team(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  team_transferred: ({ team_name, team_slug, by, new_owner, to_you }, site) => ({
    subject: to_you
      ? `The team ${named(team_name)} is yours now`
      : `The team ${named(team_name)} has a new owner`,
    heading: to_you ? 'You own a team' : 'Your team has a new owner',
    body: [
      to_you
        ? `${named(by)} handed ${named(team_name)} over to you. You are now ${ROLES.owner}.`
        : `${named(by)} handed ${named(team_name)} over to ${named(new_owner)}.`,
    ],
    action: { label: 'See the members', url: pages.members(site, team_slug) },
    because: inTeam(team_name, site),
  }),

  team_deleted: ({ team_name, by }, site) => ({
    subject: `The team ${named(team_name)} was deleted`,
    heading: 'A team was deleted',
    body: [
      `${named(by)} deleted the team ${named(team_name)} on ${hostOf(site)}, with its apps and tokens. Your account stays.`,
    ],
    because: wasInTeam(team_name, site),
  }),

  token_created: ({ team_name, team_slug, token_name, scopes, expires_at, ...origin }, site) => ({
    subject: `A token for the team ${named(team_name)} was made in your name`,
    heading: 'A token was made in your name',
    body: [
      `The token ${named(token_name)} was made from your account and acts for you in ${named(team_name)}.`,
    ],
    facts: [
      ['May do', scopesOf(scopes)],
      ['Works until', expires_at === null ? 'it is revoked' : dateTime(expires_at)],
      ...originFacts(origin),
    ],
    action: { label: 'See the tokens', url: pages.tokens(site, team_slug) },
    after: [
      `If this was not you, revoke it there, then set a new password at ${pages.forgotten(site)}; that ends every session.`,
    ],
    because: inTeam(team_name, site),
  }),

  sso_changed: ({ team_name, team_slug, by, change, issuer, domain }, site) => ({
    subject: `Single sign-on of the team ${named(team_name)} was ${SSO[change]}`,
    heading: `Single sign-on was ${SSO[change]}`,
    body: [
      `${named(by)} ${SSO[change]} the single sign-on of ${named(team_name)}. Who controls its provider decides who gets into the team: make sure that this is meant.`,
    ],
    facts: [
      ['Provider', unlinked(oneLine(issuer).slice(0, 200))],
      ...(domain === null ? [] : [['Domain', unlinked(oneLine(domain).slice(0, 253))] as [string, string]]),
    ],
    action: { label: 'See the team’s security', url: `${pages.members(site, team_slug)}?tab=security` },
    because: inTeam(team_name, site),
  }),
};

const scopesOf = (scopes: string[]) =>
  scopes.includes('*') ? 'everything you may' : scopes.map(oneLine).join(', ').slice(0, 300);
