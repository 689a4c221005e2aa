import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../features/auth/LoginPage';
import { nextOf, requireVisitor } from './-next';

export const Route = createFileRoute('/login')({
  validateSearch: nextOf,
  beforeLoad: ({ context, search }) => requireVisitor(context.session, search.next),
  staticData: { crumb: null /* outside the shell */, title: 'Sign in' },
  component: function Login() {
    return <LoginPage {...Route.useSearch()} />;
  },
});
