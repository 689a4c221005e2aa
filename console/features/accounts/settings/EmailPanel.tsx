import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  cancelEmailChangeMutation,
  requestEmailChangeMutation,
} from '../../../../generated/api/@tanstack/react-query.gen';
import type { Account, EmailChange } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { useSession } from '../../../api/session';
import { useStale } from '../../../api/useStale';
import { EMAIL_MAX, emailFault } from '../../../lib/accounts/credentials';
import { confirmAddressText } from '../../../lib/texts/confirmAddress';
import { PendingButton } from '../../../ui/controls/PendingButton';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { ToneChip } from '../../../ui/feedback/ToneChip';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { KeepFocus } from '../../../ui/KeepFocus';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { ResendVerification } from '../auth/ResendVerification';

const Stack = styled('div')({ display: 'grid', gap: space(4), justifyItems: 'start', minWidth: 0 });
const Now = styled('p')({
  ...type.body,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `${space(1)} ${space(3)}`,
  overflowWrap: 'anywhere',
});
const Wait = styled('ul')({ display: 'grid', gap: space(2) });
const Line = styled('li')({
  ...type.body,
  display: 'flex',
  flexWrap: 'wrap',
  gap: `0 ${space(3)}`,
  overflowWrap: 'anywhere',
});
const Text = styled('p')({ ...type.body, color: color.muted });

/** The sign-in address. A change takes effect once both mailboxes have confirmed it. */
export function EmailPanel({ account }: { account: Account }) {
  return (
    <Panel title="Email address" framed>
      <Stack>
        <Now>
          <strong>{account.email}</strong>
          {account.email_verified ? (
            <ToneChip quiet tone="ok" glyph="check">
              Confirmed
            </ToneChip>
          ) : (
            <ToneChip tone="attention" glyph="warning">
              Not confirmed
            </ToneChip>
          )}
        </Now>
        {!account.email_verified && <Unconfirmed email={account.email} />}
        <KeepFocus>
          {account.email_change ? (
            <Waiting change={account.email_change} present={account.email} />
          ) : (
            <ChangeForm present={account.email} />
          )}
        </KeepFocus>
      </Stack>
    </Panel>
  );
}

function Unconfirmed({ email }: { email: string }) {
  const { features } = useSession();
  return (
    <Notice
      tone="attention"
      title="Confirm your address before your first deployment."
      action={<ResendVerification />}
    >
      {confirmAddressText(features.mail, email)}
    </Notice>
  );
}

function Waiting({ change, present }: { change: EmailChange; present: string }) {
  const { features } = useSession();
  const stale = useStale();
  const cancel = useMutation({
    ...cancelEmailChangeMutation(),
    onSuccess: () => stale('getAccount'),
  });
  const problem = problemOf(cancel.error, 'Couldn’t cancel the change');
  return (
    <Stack role="status">
      <Text>
        Waiting for both mailboxes to confirm. Expires <RelativeTime at={change.expires_at} inWords />. Your
        address stays {present} until then.{' '}
        {!features.mail &&
          'This server doesn’t send email: an administrator can find the links in the outbox.'}
      </Text>
      <Wait>
        <Confirmed email={change.email} which="new" done={change.new_confirmed} />
        <Confirmed email={present} which="current" done={change.old_confirmed} />
      </Wait>
      {problem && <ErrorNotice problem={problem} />}
      <PendingButton pending={cancel.isPending} onClick={() => cancel.mutate({})}>
        Cancel change
      </PendingButton>
    </Stack>
  );
}

function Confirmed({ email, which, done }: { email: string; which: string; done: boolean }) {
  return (
    <Line>
      <ToneChip quiet tone={done ? 'ok' : 'progress'} glyph={done ? 'check' : 'dot'}>
        {done ? 'Confirmed' : 'Waiting'}
      </ToneChip>
      {email} ({which})
    </Line>
  );
}

function ChangeForm({ present }: { present: string }) {
  const [email, setEmail] = useState('');
  const [tried, setTried] = useState(false);
  const stale = useStale();
  const request = useMutation({
    ...requestEmailChangeMutation(),
    onSuccess: () => stale('getAccount'),
  });
  const problem = problemOf(request.error, 'Couldn’t change the address');
  const fault =
    email.trim().toLowerCase() === present.toLowerCase()
      ? 'This is already your address.'
      : emailFault(email);
  const submit = () => {
    setTried(true);
    if (fault === undefined) request.mutate({ body: { email: email.trim() } });
  };
  return (
    <div style={{ width: '100%' }}>
      <FormShell
        aria-label="Change email address"
        error={problem}
        fields={['email']}
        pending={request.isPending}
        onSubmit={submit}
        submitLabel="Change address"
        pendingLabel="Sending links…"
      >
        <TextInput
          label="New address"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={EMAIL_MAX}
          help="We send a link to both addresses. The change takes effect once you open both links."
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          error={tried ? (fault ?? fieldProblem(problem, 'email')) : undefined}
        />
      </FormShell>
    </div>
  );
}
