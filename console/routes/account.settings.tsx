import { createFileRoute } from '@tanstack/react-router';
import { lazy } from 'react';
import { AccountSettings } from '../features/account/AccountSettings';
import { accountSearch } from '../features/account/sections';
import { Announcements } from '../features/announcements/Announcements';
import { loadAnnouncements } from '../features/announcements/load';
import { Bell } from '../features/notifications/Bell';
import { AccountShell } from '../features/shell/AccountShell';
import { requireUser } from './-next';

const NotificationsSection = lazy(() =>
  import('../features/notifications/NotificationsSection').then((m) => ({ default: m.NotificationsSection })),
);

export const Route = createFileRoute('/account/settings')({
  validateSearch: accountSearch,
  beforeLoad: ({ context, location }) => requireUser(context.session, location.href),
  loader: ({ context }) => loadAnnouncements(context.queryClient),
  staticData: { crumb: null /* the account is under no team */, title: 'Account settings' },
  component: function Settings() {
    const { section } = Route.useSearch();
    return (
      <AccountShell current={section ?? 'profile'} bell={<Bell />} announcements={<Announcements />}>
        {/* A section keeps nothing of another one's forms. */}
        <AccountSettings key={section} section={section} notifications={<NotificationsSection />} />
      </AccountShell>
    );
  },
});
