import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../../features/accounts/auth/ForgotPasswordPage';
import { nextOf } from '../-next';

export const Route = createFileRoute('/reset-password/')({
  validateSearch: nextOf,
  staticData: { crumb: null /* outside the shell */, title: 'Reset your password' },
  component: function ForgotPassword() {
    return <ForgotPasswordPage {...Route.useSearch()} />;
  },
});
