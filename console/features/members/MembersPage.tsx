import PersonAddOutlined from '@mui/icons-material/PersonAddOutlined';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import { useMay, useTeam, type May } from '../../api/session';
import { membersPath } from '../../lib/paths';
import { ShutButton } from '../../ui/controls/ShutButton';
import { LinkButton } from '../../ui/controls/LinkButton';
import { EmptyState } from '../../ui/feedback/EmptyState';
import { RowsSkeleton } from '../../ui/feedback/Skeletons';
import type { NavItem } from '../../ui/layout/frameData';
import { PageHeader } from '../../ui/layout/PageHeader';
import { Tabs } from '../../ui/layout/Tabs';
import { InviteDialog } from './InviteDialog';
import { MembersTab } from './MembersTab';
import { inviteHref, type MembersSearch } from './search';

const RolesTab = lazy(() => import('./RolesTab').then((m) => ({ default: m.RolesTab })));
const SecurityTab = lazy(() => import('./SecurityTab').then((m) => ({ default: m.SecurityTab })));
const SettingsTab = lazy(() => import('./SettingsTab').then((m) => ({ default: m.SettingsTab })));

interface Props {
  teamSlug: string;
  search: MembersSearch;
  /** What other features put on this page. */
  sso: ReactNode;
  webhooks: ReactNode;
  audit: ReactNode;
}

/** A team and its people: who is in it, what they may do, what is asked of them, what they did. */
export function MembersPage({ teamSlug, search, sso, webhooks, audit }: Props) {
  const team = useTeam(teamSlug);
  const members = useMay('team.members', teamSlug);
  const security = useMay('team.security', teamSlug);
  const hooks = useMay('webhooks.read', teamSlug);
  const auditing = useMay('team.audit', teamSlug);
  const navigate = useNavigate();
  const { tab } = search;

  const entry = (id: MembersSearch['tab'], label: string, may?: May): NavItem => ({
    label,
    href: membersPath(teamSlug, id),
    current: tab === id,
    ...(may && !may.allowed && may.reason !== undefined ? { disabledReason: may.reason } : {}),
  });
  return (
    <>
      <PageHeader
        title="Members"
        subtitle={`The people of ${team.name}, and how the team is run.`}
        {...(tab === undefined ? { primary: <Invite may={members} href={inviteHref(teamSlug)} /> } : {})}
      />
      <Tabs
        label="Parts of the team"
        tabs={[
          entry(undefined, 'Members'),
          entry('roles', 'Roles'),
          entry('security', 'Security', security),
          entry('webhooks', 'Webhooks', hooks),
          entry('audit', 'Audit log', auditing),
          entry('settings', 'Settings'),
        ]}
      />
      <Suspense fallback={<RowsSkeleton rows={6} />}>
        {tab === undefined && <MembersTab teamSlug={teamSlug} />}
        {tab === 'roles' && <RolesTab teamSlug={teamSlug} />}
        {tab === 'security' &&
          (security.allowed ? <SecurityTab teamSlug={teamSlug} sso={sso} /> : <Shut may={security} />)}
        {tab === 'webhooks' && (hooks.allowed ? webhooks : <Shut may={hooks} />)}
        {tab === 'audit' && (auditing.allowed ? audit : <Shut may={auditing} />)}
        {tab === 'settings' && <SettingsTab teamSlug={teamSlug} />}
      </Suspense>
      {search.invite === true && members.allowed && (
        <InviteDialog
          teamSlug={teamSlug}
          onClose={() => void navigate({ href: membersPath(teamSlug), replace: true })}
        />
      )}
    </>
  );
}

function Shut({ may }: { may: May }) {
  return <EmptyState title="Your role does not allow this">{may.reason}</EmptyState>;
}

function Invite({ may, href }: { may: May; href: string }) {
  const look = { variant: 'contained', color: 'primary', startIcon: <PersonAddOutlined /> } as const;
  if (may.allowed)
    return (
      <LinkButton href={href} {...look}>
        Invite
      </LinkButton>
    );
  return (
    <ShutButton {...look} reason={may.reason ?? ''}>
      Invite
    </ShutButton>
  );
}
