import { createFileRoute } from '@tanstack/react-router';
import { AccountSettings } from '../features/accounts/settings/AccountSettings';
import { accountSearch } from '../features/accounts/settings/sections';
import { Announcements } from '../features/announcements/Announcements';
import { loadAnnouncements } from '../features/announcements/load';
import { Bell } from '../features/notifications/Bell';
import { AccountShell } from '../shell/AccountShell';
import { requireUser } from './-next';
import { lazyWithRetry } from '../ui/lazyWithRetry';

const NotificationsSection = lazyWithRetry(() =>
  import('../features/notifications/NotificationsSection').then((m) => ({ default: m.NotificationsSection })),
);

export const Route = createFileRoute('/account/settings')({
  validateSearch: accountSearch,
  beforeLoad: ({ context, location }) => requireUser(context.session, location.href),
  loader: ({ context }) => loadAnnouncements(context.queryClient),
  staticData: { crumb: null /* the account belongs to no team */, title: 'Account settings' },
  component: function Settings() {
    const { section } = Route.useSearch();
    return (
      <AccountShell current={section ?? 'profile'} bell={<Bell />} announcements={<Announcements />}>
        {/* Remounted per section, so that no form state carries over. */}
        <AccountSettings key={section} section={section} notifications={<NotificationsSection />} />
      </AccountShell>
    );
  },
});
