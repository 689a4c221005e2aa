import { LinkButton } from '../../../ui/controls/Button';
import UserPlusIcon from 'lucide-react/icons/user-plus';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { useMay, type May } from '../../../api/session';
import { membersPath } from '../../../lib/paths';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { EmptyState } from '../../../ui/feedback/EmptyState';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import type { NavItem } from '../../../ui/layout/frameData';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Tabs } from '../../../ui/layout/Tabs';
import { InviteDialog } from './InviteDialog';
import { MembersTab } from './MembersTab';
import { membersHref, membersTitles, type MembersSearch } from './search';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

const RolesTab = lazyWithRetry(() => import('./RolesTab').then((m) => ({ default: m.RolesTab })));
const SecurityTab = lazyWithRetry(() => import('./SecurityTab').then((m) => ({ default: m.SecurityTab })));
const SettingsTab = lazyWithRetry(() => import('./SettingsTab').then((m) => ({ default: m.SettingsTab })));

interface Props {
  teamSlug: string;
  search: MembersSearch;
  /** Tabs provided by other features. */
  sso: ReactNode;
  webhooks: ReactNode;
  audit: ReactNode;
}

/** Members, roles, security, webhooks, audit log and settings of a team. */
export function MembersPage({ teamSlug, search, sso, webhooks, audit }: Props) {
  const members = useMay('team.members', teamSlug);
  const security = useMay('team.security', teamSlug);
  const hooks = useMay('webhooks.read', teamSlug);
  const auditing = useMay('team.audit', teamSlug);
  const navigate = useNavigate();
  const { tab, q } = search;
  const [title, subtitle] = membersTitles(tab);

  const entry = (id: MembersSearch['tab'], label: string, may?: May): NavItem => ({
    label,
    href: membersPath(teamSlug, id),
    current: tab === id,
    ...(may && !may.allowed && may.reason !== undefined ? { disabledReason: may.reason } : {}),
  });
  return (
    <>
      <PageHeader
        title={title}
        subtitle={subtitle}
        {...(tab === undefined
          ? { primary: <Invite may={members} href={membersHref(teamSlug, { q, invite: true })} /> }
          : {})}
      />
      <Tabs
        label="Team sections"
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
        {tab === undefined && <MembersTab teamSlug={teamSlug} q={q} />}
        {tab === 'roles' && <RolesTab teamSlug={teamSlug} />}
        {tab === 'security' &&
          (security.allowed ? <SecurityTab teamSlug={teamSlug} sso={sso} /> : <NoAccess may={security} />)}
        {tab === 'webhooks' && (hooks.allowed ? webhooks : <NoAccess may={hooks} />)}
        {tab === 'audit' && (auditing.allowed ? audit : <NoAccess may={auditing} />)}
        {tab === 'settings' && <SettingsTab teamSlug={teamSlug} />}
      </Suspense>
      {search.invite === true && members.allowed && (
        <InviteDialog
          teamSlug={teamSlug}
          onClose={() => void navigate({ href: membersHref(teamSlug, { q }), replace: true })}
        />
      )}
    </>
  );
}

function NoAccess({ may }: { may: May }) {
  return (
    <EmptyState picture="access" title="You don’t have access">
      {may.reason}
    </EmptyState>
  );
}

function Invite({ may: { reason }, href }: { may: May; href: string }) {
  const look = { variant: 'contained', startIcon: <UserPlusIcon /> } as const;
  if (reason === undefined)
    return (
      <LinkButton href={href} {...look}>
        Invite
      </LinkButton>
    );
  return (
    <ActionButton {...look} reason={reason}>
      Invite
    </ActionButton>
  );
}
