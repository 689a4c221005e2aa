import { createFileRoute } from '@tanstack/react-router';
import { AccountSettings } from '../features/account/AccountSettings';
import { accountSearch } from '../features/account/sections';
import { AccountShell } from '../features/shell/AccountShell';
import { requireUser } from './-next';

export const Route = createFileRoute('/account/settings')({
  validateSearch: accountSearch,
  beforeLoad: ({ context, location }) => requireUser(context.session, location.href),
  staticData: { crumb: null /* the account is under no team */, title: 'Account settings' },
  component: function Settings() {
    const { section } = Route.useSearch();
    return (
      <AccountShell current={section ?? 'profile'}>
        {/* A section keeps nothing of another one's forms. */}
        <AccountSettings key={section} section={section} />
      </AccountShell>
    );
  },
});
