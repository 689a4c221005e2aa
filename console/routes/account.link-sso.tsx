import { createFileRoute } from '@tanstack/react-router';
import { LinkSsoPage } from '../features/teams/sso/LinkSsoPage';
import { requireUser } from './-next';

export const Route = createFileRoute('/account/link-sso')({
  beforeLoad: ({ context, location }) => requireUser(context.session, location.href),
  staticData: { crumb: null /* outside the shell */, title: 'Link your account' },
  component: LinkSsoPage,
});
