import { createFileRoute } from '@tanstack/react-router';
import { LoginPage } from '../features/auth/LoginPage';
import { SsoDiscovery } from '../features/sso/SsoDiscovery';
import { ssoProblem } from '../features/sso/ssoErrors';
import { nextOf, requireVisitor } from './-next';

export const Route = createFileRoute('/login')({
  validateSearch: (search: Record<string, unknown>) => ({
    ...nextOf(search),
    sso_error: typeof search.sso_error === 'string' ? search.sso_error.slice(0, 40) : undefined,
  }),
  // Who came from a team that asks for single sign-on is signed in already, and still has to read why it failed.
  beforeLoad: ({ context, search }) => {
    if (search.sso_error === undefined) requireVisitor(context.session, search.next);
  },
  staticData: { crumb: null /* outside the shell */, title: 'Sign in' },
  component: function Login() {
    const { next, sso_error } = Route.useSearch();
    return (
      <LoginPage
        next={next}
        ssoProblem={ssoProblem(sso_error)}
        sso={(form) => <SsoDiscovery {...form} next={next} />}
      />
    );
  },
});
