import { createFileRoute } from '@tanstack/react-router';
import { CliVerifyPage } from '../features/accounts/cli/CliVerifyPage';
import { requireUser } from './-next';

export const Route = createFileRoute('/cli/verify')({
  validateSearch: ({ user_code }: Record<string, unknown>): { user_code: string | undefined } => ({
    user_code: typeof user_code === 'string' && user_code !== '' ? user_code.slice(0, 20) : undefined,
  }),
  beforeLoad: ({ context, location }) => requireUser(context.session, location.href),
  staticData: { crumb: null /* outside the shell */, title: 'Approve a command-line login' },
  component: function CliVerify() {
    const { user_code } = Route.useSearch();
    return <CliVerifyPage key={user_code} {...(user_code === undefined ? {} : { userCode: user_code })} />;
  },
});
