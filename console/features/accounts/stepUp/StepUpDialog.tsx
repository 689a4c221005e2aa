import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StepUpMethods } from '../../../../generated/api/types.gen';
import { stepUpMethods } from '../../../api/authSteps';
import { problemOf } from '../../../api/problem';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { Bar, Delayed } from '../../../ui/feedback/Skeletons';
import { StepUpFrame } from '../../../ui/forms/StepUpFrame';
import { WaysList } from '../../../ui/forms/WaysList';
import { CodeMethod } from './CodeMethod';
import { PasskeyMethod } from './PasskeyMethod';
import { PasswordMethod } from './PasswordMethod';
import { SignInAgain } from './SignInAgain';

type Method = StepUpMethods['methods'][number];

/** Props of every confirmation method. */
export interface MethodProps {
  onConfirmed: () => void;
  onCancel: () => void;
}

interface Props extends MethodProps {
  open: boolean;
}

export function StepUpDialog({ open, onConfirmed, onCancel }: Props) {
  return (
    <StepUpFrame open={open} onCancel={onCancel}>
      <Methods onConfirmed={onConfirmed} onCancel={onCancel} />
    </StepUpFrame>
  );
}

const labels: Record<Method, string> = {
  passkey: 'Use a passkey',
  totp: 'Use your authenticator app',
  password: 'Use your password',
  sso: 'Sign in again with single sign-on',
};

function Methods(props: MethodProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['stepUpMethods'],
    queryFn: stepUpMethods,
    staleTime: 0,
    gcTime: 0,
  });
  const [chosen, setChosen] = useState<Method>();

  // A later failure, such as when the window regains focus, must not replace what is being typed.
  if (error && !data) {
    const problem = problemOf(error, 'Couldn’t load the confirmation methods', () => void refetch());
    return (
      <>
        {problem && <ErrorNotice problem={problem} />}
        <DialogActions onCancel={props.onCancel} />
      </>
    );
  }
  if (!data)
    return (
      <Delayed role="status" aria-label="Loading">
        <Bar h={96} />
      </Delayed>
    );
  const methods = data.methods.filter((method) => method !== 'passkey' || 'PublicKeyCredential' in window);
  const method = chosen ?? methods[0];
  return (
    <>
      {method === 'passkey' && <PasskeyMethod {...props} />}
      {method === 'totp' && <CodeMethod {...props} />}
      {method === 'password' && <PasswordMethod {...props} />}
      {(method === 'sso' || method === undefined) && (
        <SignInAgain sso={method === 'sso'} onCancel={props.onCancel} />
      )}
      <WaysList
        ways={methods.filter((other) => other !== method).map((id) => ({ id, label: labels[id] }))}
        onChoose={setChosen}
      />
    </>
  );
}
