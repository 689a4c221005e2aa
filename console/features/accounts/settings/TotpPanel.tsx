import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { createTotpMutation, deleteTotpMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { Totp } from '../../../../generated/api/types.gen';
import { problemOf } from '../../../api/problem';
import { ActionButton } from '../../../ui/controls/ActionButton';
import { KeyValue } from '../../../ui/data/KeyValue';
import { RelativeTime } from '../../../ui/data/RelativeTime';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { Panel } from '../../../ui/layout/Panel';
import { color, space, type } from '../../../ui/theme';
import { useUnconfirmed, type FactorChanged } from './factors';
import { lazyWithRetry } from '../../../ui/lazyWithRetry';

const TotpDialog = lazyWithRetry(() => import('./TotpDialog').then((m) => ({ default: m.TotpDialog })));

const Text = styled('p')({ ...type.body, color: color.muted });
const Stack = styled('div')({ display: 'grid', gap: space(3) });

/** Sets up or removes the authenticator app. */
export function TotpPanel({ totp, onChanged }: { totp: Totp | null; onChanged: FactorChanged }) {
  const [removing, setRemoving] = useState(false);
  const reason = useUnconfirmed();
  const setUp = useMutation(createTotpMutation());
  const problem = problemOf(setUp.error, 'Couldn’t start the setup');
  return (
    <Panel
      title="Authenticator app"
      framed
      actions={
        <ActionButton
          size="small"
          tone={totp ? 'danger' : 'neutral'}
          reason={totp ? undefined : reason}
          pending={setUp.isPending}
          onClick={() => (totp ? setRemoving(true) : setUp.mutate({}))}
        >
          {totp ? 'Remove' : 'Set up'}
        </ActionButton>
      }
    >
      <Stack>
        {totp ? (
          <KeyValue
            facts={[
              { label: 'Set up', value: <RelativeTime at={totp.confirmed_at} /> },
              {
                label: 'Last used',
                value: totp.last_used_at ? <RelativeTime at={totp.last_used_at} /> : 'Never',
              },
            ]}
          />
        ) : (
          <Text>
            An app on your phone or in your password manager shows a six-digit code that changes every 30
            seconds.
          </Text>
        )}
        {problem && <ErrorNotice problem={problem} />}
      </Stack>
      {setUp.data && (
        <Suspense fallback={null}>
          <TotpDialog
            setup={setUp.data}
            onClose={() => setUp.reset()}
            onConfirmed={async (codes) => {
              setUp.reset();
              await onChanged(codes);
            }}
          />
        </Suspense>
      )}
      {removing && <RemoveTotp onClose={() => setRemoving(false)} onChanged={onChanged} />}
    </Panel>
  );
}

function RemoveTotp({ onClose, onChanged }: { onClose: () => void; onChanged: FactorChanged }) {
  const remove = useMutation({
    ...deleteTotpMutation(),
    onSuccess: async () => {
      await onChanged();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      danger
      title="Remove the authenticator app?"
      effects={[
        'Its codes stop working.',
        'Without a passkey, you sign in with your password alone, and your recovery codes are deleted.',
        'Teams that require a second factor deny you access until you set one up again.',
      ]}
      confirmLabel="Remove"
      pending={remove.isPending}
      problem={problemOf(remove.error, 'Couldn’t remove the app')}
      onConfirm={() => remove.mutate({})}
      onClose={onClose}
    />
  );
}
