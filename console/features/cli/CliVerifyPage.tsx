import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getDeviceAuthorizationOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { isApiError } from '../../api/apiError';
import { problemOf } from '../../api/problem';
import { useSession } from '../../api/session';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../ui/feedback/Skeletons';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { PublicCard, PublicFrame } from '../../ui/layout/PublicFrame';
import { Decision } from './Decision';
import { Outcome } from './Outcome';
import { normalCode } from './scopes';

/** Approving a login that a command line asked for. Nothing happens without a press of a button here. */
export function CliVerifyPage({ userCode }: { userCode?: string }) {
  return (
    <PublicFrame homeHref="/">
      {userCode === undefined ? <EnterCode /> : <Request userCode={normalCode(userCode)} />}
    </PublicFrame>
  );
}

function Request({ userCode }: { userCode: string }) {
  const { data, error, refetch, isPending } = useQuery({
    ...getDeviceAuthorizationOptions({ path: { user_code: userCode } }),
    // Codes live for minutes; what is shown must be what is decided.
    staleTime: 0,
    gcTime: 0,
  });
  if (isPending) return <PageSkeleton label="Loading the request" rows={3} />;
  if (error) {
    if (isApiError(error, 404) || isApiError(error, 422))
      return (
        <EnterCode fault={`There is no login waiting under ${userCode}. Codes expire after a few minutes.`} />
      );
    const problem = problemOf(error, 'The request could not be loaded', () => void refetch());
    return problem && <ErrorNotice problem={problem} />;
  }
  if (data.state !== 'pending') return <Outcome state={data.state} />;
  return <Decision request={data} />;
}

function EnterCode({ fault }: { fault?: string }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const code = normalCode(typed);
  const short = code.length < 4 ? 'Enter the code that your terminal shows.' : undefined;
  return (
    <PublicCard
      title="Approve a command-line login"
      subtitle={`You are signed in as ${user?.email ?? ''}. Enter the code that your terminal shows.`}
    >
      <FormShell
        aria-label="Enter the code"
        error={null}
        pending={false}
        submitLabel="Continue"
        fullWidthSubmit
        onSubmit={() => {
          setTried(true);
          if (short === undefined)
            void navigate({ href: `/cli/verify?user_code=${encodeURIComponent(code)}` });
        }}
      >
        <TextInput
          label="Code"
          mono
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
          placeholder="ABCD-EFGH"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={tried ? short : typed === '' ? fault : undefined}
        />
      </FormShell>
    </PublicCard>
  );
}
