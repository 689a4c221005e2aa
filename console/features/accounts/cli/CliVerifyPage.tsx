import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { PendingButton } from '../../../ui/controls/PendingButton';
import styled from '@emotion/styled';
import { getDeviceAuthorizationOptions } from '../../../../generated/api/@tanstack/react-query.gen';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { useSession } from '../../../api/session';
import { useProblem } from '../../../api/useProblem';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { PublicCardSkeleton } from '../../../ui/feedback/Skeletons';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { PublicCard, PublicFrame } from '../../../ui/layout/PublicFrame';
import { space } from '../../../ui/theme';
import { Decision } from './Decision';
import { Outcome } from './Outcome';
import { normalCode } from './scopes';

const Actions = styled('div')({ display: 'grid', gap: space(4) });

/** Approves a command-line login. Nothing is approved without a click here. */
export function CliVerifyPage({ userCode }: { userCode?: string }) {
  return (
    <PublicFrame homeHref="/">
      {userCode === undefined ? <EnterCode /> : <Request userCode={normalCode(userCode)} />}
    </PublicFrame>
  );
}

function Request({ userCode }: { userCode: string }) {
  const { data, error, refetch, isPending, isFetching } = useQuery({
    ...getDeviceAuthorizationOptions({ path: { user_code: userCode } }),
    // Codes live for minutes, and the user must decide on current data.
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  if (isPending) return <PublicCardSkeleton lines={6} label="Loading the request" />;
  if (error) {
    if (isApiError(error, 429)) return <TooManyTries error={error} onRetry={() => void refetch()} />;
    if (isApiError(error, 404) || isApiError(error, 422))
      return (
        <EnterCode
          refused={{
            code: userCode,
            fault: `No login is waiting for ${userCode}. Codes expire after a few minutes.`,
            isChecking: isFetching,
            onCheckAgain: () => void refetch(),
          }}
        />
      );
    const problem = problemOf(error, 'Couldn’t load the request', () => void refetch());
    return problem && <ErrorNotice problem={problem} />;
  }
  if (data.state !== 'pending') return <Outcome state={data.state} />;
  return <Decision request={data} />;
}

/** Shown when the rate limit against guessing codes is reached. */
function TooManyTries({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { problem, waitSeconds } = useProblem(error, 'Too many attempts');
  return (
    <PublicCard
      title="Too many attempts"
      subtitle="Your network has tried too many codes. Nothing was approved."
    >
      <Actions>
        {problem && <ErrorNotice problem={problem} />}
        <PendingButton
          variant="contained"
          fullWidth
          pending={false}
          disabled={waitSeconds !== undefined}
          onClick={onRetry}
        >
          {waitSeconds === undefined ? 'Try again' : `Try again in ${waitSeconds} s`}
        </PendingButton>
      </Actions>
    </PublicCard>
  );
}

interface Refused {
  code: string;
  fault: string;
  isChecking: boolean;
  onCheckAgain: () => void;
}

/** @param refused the code in the address, if no login has it */
function EnterCode({ refused }: { refused?: Refused }) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [tried, setTried] = useState(false);
  const code = normalCode(typed);
  const isRefused = code === '' || code === refused?.code;
  const short = code.length < 4 ? 'Enter the code from your terminal.' : undefined;
  return (
    <PublicCard
      title="Approve a command-line login"
      subtitle={`You’re signed in as ${user?.email ?? ''}. Enter the code from your terminal.`}
    >
      <FormShell
        aria-label="Enter the code"
        error={null}
        pending={refused?.isChecking === true}
        submitLabel="Continue"
        fullWidthSubmit
        onSubmit={() => {
          setTried(true);
          if (short !== undefined) return;
          // The same address again would load nothing.
          if (code === refused?.code) refused.onCheckAgain();
          else void navigate({ href: `/cli/verify?user_code=${encodeURIComponent(code)}` });
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
          error={(tried ? short : undefined) ?? (isRefused ? refused?.fault : undefined)}
        />
      </FormShell>
    </PublicCard>
  );
}
