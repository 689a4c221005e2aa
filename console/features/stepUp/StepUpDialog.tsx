import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StepUpMethods } from '../../../generated/api/types.gen';
import { stepUpMethods } from '../../api/authSteps';
import { problemOf } from '../../api/problem';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { Bar, Delayed } from '../../ui/feedback/Skeletons';
import { StepUpFrame } from '../../ui/forms/StepUpFrame';
import { WaysList } from '../../ui/forms/WaysList';
import { CodeWay } from './CodeWay';
import { PasskeyWay } from './PasskeyWay';
import { PasswordWay } from './PasswordWay';
import { SignInAgain } from './SignInAgain';

export type Way = StepUpMethods['methods'][number];

/** What every way of confirming is given. */
export interface WayProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

interface Props extends WayProps {
  open: boolean;
}

export function StepUpDialog({ open, onConfirmed, onCancel }: Props) {
  return (
    <StepUpFrame open={open} onCancel={onCancel}>
      <Ways onConfirmed={onConfirmed} onCancel={onCancel} />
    </StepUpFrame>
  );
}

const labels: Record<Way, string> = {
  passkey: 'Use a passkey',
  totp: 'Use a code of your authenticator app',
  password: 'Use your password',
  sso: 'Sign in again with single sign-on',
};

function Ways(props: WayProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['stepUpMethods'],
    queryFn: stepUpMethods,
    staleTime: 0,
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<Way>();

  if (error) {
    const problem = problemOf(error, 'Could not ask how you can confirm', () => void refetch());
    return (
      <>
        {problem && <ErrorNotice problem={problem} />}
        <Button onClick={props.onCancel}>Cancel</Button>
      </>
    );
  }
  if (!data)
    return (
      <Delayed role="status" aria-label="Loading">
        <Bar h={96} />
      </Delayed>
    );
  const ways = data.methods.filter((way) => way !== 'passkey' || 'PublicKeyCredential' in window);
  const way = chosen ?? ways[0];
  return (
    <>
      {way === 'passkey' && <PasskeyWay {...props} />}
      {way === 'totp' && <CodeWay {...props} />}
      {way === 'password' && <PasswordWay {...props} />}
      {(way === 'sso' || way === undefined) && <SignInAgain sso={way === 'sso'} onCancel={props.onCancel} />}
      <WaysList
        ways={ways.filter((other) => other !== way).map((id) => ({ id, label: labels[id] }))}
        onChoose={setChosen}
      />
    </>
  );
}
