import { createFileRoute } from '@tanstack/react-router';
import { TwoFactorPage } from '../features/accounts/auth/TwoFactorPage';
import { nextOf, requireVisitor } from './-next';

export const Route = createFileRoute('/two-factor')({
  validateSearch: nextOf,
  beforeLoad: ({ context, search }) => requireVisitor(context.session, search.next),
  staticData: { crumb: null /* outside the shell */, title: 'Confirm your sign-in' },
  component: function TwoFactor() {
    return <TwoFactorPage {...Route.useSearch()} />;
  },
});
