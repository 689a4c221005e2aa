import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../features/accounts/auth/ForgotPasswordPage';

export const Route = createFileRoute('/reset-password/')({
  staticData: { crumb: null /* outside the shell */, title: 'Reset your password' },
  component: ForgotPasswordPage,
});
