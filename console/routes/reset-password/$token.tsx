import { createFileRoute } from '@tanstack/react-router';
import { ResetPasswordPage } from '../../features/accounts/auth/ResetPasswordPage';

export const Route = createFileRoute('/reset-password/$token')({
  staticData: { crumb: null /* outside the shell */, title: 'Reset your password' },
  component: function ResetPassword() {
    const { token } = Route.useParams();
    return <ResetPasswordPage key={token} token={token} />;
  },
});
