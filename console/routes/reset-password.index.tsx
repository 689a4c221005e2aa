import { createFileRoute } from '@tanstack/react-router';
import { ForgotPasswordPage } from '../features/auth/ForgotPasswordPage';

export const Route = createFileRoute('/reset-password/')({
  staticData: { crumb: null /* outside the shell */, title: 'Set a new password' },
  component: ForgotPasswordPage,
});
