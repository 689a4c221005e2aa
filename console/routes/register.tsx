import { createFileRoute } from '@tanstack/react-router';
import { RegisterPage } from '../features/accounts/auth/RegisterPage';
import { nextOf, requireVisitor } from './-next';

export const Route = createFileRoute('/register')({
  validateSearch: nextOf,
  beforeLoad: ({ context, search }) => requireVisitor(context.session, search.next),
  staticData: { crumb: null /* outside the shell */, title: 'Create an account' },
  component: function Register() {
    return <RegisterPage {...Route.useSearch()} />;
  },
});
