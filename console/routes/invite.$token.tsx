import { createFileRoute } from '@tanstack/react-router';
import { InvitePage } from '../features/accounts/auth/InvitePage';

export const Route = createFileRoute('/invite/$token')({
  staticData: { crumb: null /* outside the shell */, title: 'Invitation to a team' },
  component: function Invite() {
    const { token } = Route.useParams();
    return <InvitePage key={token} token={token} />;
  },
});
