import styled from '@emotion/styled';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { confirmTotpMutation } from '../../../../generated/api/@tanstack/react-query.gen';
import type { TotpSetup } from '../../../../generated/api/types.gen';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { CopyId } from '../../../ui/data/CopyId';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { color, space, type } from '../../../ui/theme';
import { QrCode } from './QrCode';

const Scan = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(4),
  alignItems: 'center',
  minWidth: 0,
});
const Manual = styled('div')({ flex: '1 1 180px', minWidth: 0, display: 'grid', gap: space(1) });
const Text = styled('p')({ ...type.small, color: color.muted });

interface Props {
  setup: TotpSetup;
  onClose: () => void;
  /** Receives the recovery codes if this is the first second factor. */
  onConfirmed: (codes: readonly string[] | null) => Promise<void>;
}

/** Scan, then confirm: nothing is set up before a valid code, so that a bad scan can't lock anyone out. */
export function TotpDialog({ setup, onClose, onConfirmed }: Props) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const confirm = useMutation({
    ...confirmTotpMutation(),
    onSuccess: ({ codes }) => onConfirmed(codes),
  });
  const problem = problemOf(confirm.error, 'Couldn’t set up the app');
  const digits = code.replace(/\D/g, '');
  const wrong =
    isApiError(confirm.error, 401) && confirm.variables?.body.code === digits
      ? confirm.error.message
      : undefined;
  const submit = () => {
    setTried(true);
    if (digits.length === 6) confirm.mutate({ body: { code: digits } });
  };
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title="Set up an authenticator app"
      intro="Scan the QR code with your app, then enter the code it shows."
    >
      <Scan>
        <QrCode text={setup.otpauth_url} label="QR code for the authenticator app" />
        <Manual>
          <Text>Can’t scan? Enter this key in the app:</Text>
          <CopyId id={grouped(setup.secret)} what="key" most={0} />
          <Text>Time-based, 6 digits, every 30 seconds.</Text>
        </Manual>
      </Scan>
      <FormShell
        aria-label="Confirm the app"
        error={wrong === undefined ? problem : null}
        fields={['code']}
        pending={confirm.isPending}
        onSubmit={submit}
        submitLabel="Confirm"
        onCancel={onClose}
      >
        <TextInput
          label="Code"
          mono
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={9}
          autoFocus
          value={code}
          onChange={(event) => setCode(event.target.value)}
          error={
            wrong ??
            (tried && digits.length !== 6
              ? 'Enter the six digits from the app.'
              : fieldProblem(problem, 'code'))
          }
        />
      </FormShell>
    </FormDialog>
  );
}

/** Formats base32 in groups of four, as apps show it; they ignore the spaces. */
const grouped = (secret: string) => secret.replace(/(.{4})(?=.)/g, '$1 ');
