import { createFileRoute } from '@tanstack/react-router';
import { VerifyEmailPage } from '../features/accounts/auth/VerifyEmailPage';

export const Route = createFileRoute('/verify-email/$token')({
  staticData: { crumb: null /* outside the shell */, title: 'Confirm your email address' },
  component: function VerifyEmail() {
    const { token } = Route.useParams();
    return <VerifyEmailPage key={token} token={token} />;
  },
});
