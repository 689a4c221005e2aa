import { createFileRoute } from '@tanstack/react-router';
import { CliVerifyPage } from '../features/cli/CliVerifyPage';
import { requireUser } from './-next';

export const Route = createFileRoute('/cli/verify')({
  validateSearch: (search: Record<string, unknown>): { user_code?: string } =>
    typeof search.user_code === 'string' && search.user_code !== ''
      ? { user_code: search.user_code.slice(0, 20) }
      : {},
  beforeLoad: ({ context, location }) => requireUser(context.session, location.href),
  staticData: { crumb: null /* outside the shell */, title: 'Approve a command-line login' },
  component: function CliVerify() {
    const { user_code } = Route.useSearch();
    return <CliVerifyPage key={user_code} {...(user_code === undefined ? {} : { userCode: user_code })} />;
  },
});
