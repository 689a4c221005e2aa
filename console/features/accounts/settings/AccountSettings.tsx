import styled from '@emotion/styled';
import { Suspense, type ReactNode } from 'react';
import { useSession } from '../../../api/session';
import { RowsSkeleton } from '../../../ui/feedback/Skeletons';
import { PageHeader } from '../../../ui/layout/PageHeader';
import { Sections } from '../../../ui/layout/Sections';
import { AnalyticsPanel } from './AnalyticsPanel';
import { SettingsRefusedNotice } from './SettingsRefusedNotice';
import { SECTIONS, type Section } from './sections';
import { READABLE, settingsRefusal } from './settingsRefusal';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

// Forms stay narrow for reading; the tables of other sections need the width.
const Page = styled('div')({ maxWidth: 920, '&[data-narrow]': { maxWidth: 680 } });
// A fieldset, which disables everything in it.
const ReadOnly = styled(Sections.withComponent('fieldset'))({ border: 0, padding: 0, minWidth: 0 });

// Loaded separately: only one section shows at a time, and Security carries QR codes and passkeys.
const parts = {
  profile: lazyWithRetry(() => import('./ProfileSection').then((m) => ({ default: m.ProfileSection }))),
  security: lazyWithRetry(() => import('./SecuritySection').then((m) => ({ default: m.SecuritySection }))),
  sso: lazyWithRetry(() => import('./SsoSection').then((m) => ({ default: m.SsoSection }))),
  sessions: lazyWithRetry(() => import('./SessionsSection').then((m) => ({ default: m.SessionsSection }))),
  'ssh-keys': lazyWithRetry(() => import('./SshKeysSection').then((m) => ({ default: m.SshKeysSection }))),
  wallets: lazyWithRetry(() => import('./WalletsSection').then((m) => ({ default: m.WalletsSection }))),
  data: lazyWithRetry(() => import('./DataSection').then((m) => ({ default: m.DataSection }))),
} satisfies Record<Exclude<Section, 'notifications'>, unknown>;

const subtitles: Record<Section, string> = {
  profile: 'Name, email address and password',
  security: 'Second factors, recovery codes and vault',
  sso: 'Team providers that can sign you in',
  sessions: 'Devices and browsers where you’re signed in',
  'ssh-keys': 'Keys for CVMs that allow SSH',
  wallets: 'Linked Ethereum addresses',
  notifications: 'Notification settings',
  data: 'Export your data or delete your account',
};

/** Settings of the user's account, independent of the team. */
export function AccountSettings({
  section = 'profile',
  notifications,
}: {
  section?: Section | undefined;
  /** Section provided by another feature. */
  notifications: ReactNode;
}) {
  const session = useSession();
  const Part = section === 'notifications' ? null : parts[section];
  const refusal = Part && settingsRefusal(session);
  const content = <Suspense fallback={<RowsSkeleton rows={4} />}>{Part ? <Part /> : notifications}</Suspense>;
  return (
    <Page
      data-narrow={section === 'profile' || section === 'notifications' || section === 'data' || undefined}
    >
      <PageHeader title={SECTIONS[section]} subtitle={subtitles[section]} />
      <Sections>
        {section === 'data' && <AnalyticsPanel />}
        {refusal !== null && <SettingsRefusedNotice why={refusal} email={session.user?.email ?? ''} />}
        {refusal === null ? content : READABLE.has(section) && <ReadOnly disabled>{content}</ReadOnly>}
      </Sections>
    </Page>
  );
}
