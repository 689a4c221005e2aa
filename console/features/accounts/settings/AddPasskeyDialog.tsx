import { browserSupportsWebAuthn } from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { isApiError } from '../../../api/apiError';
import { problemOf } from '../../../api/problem';
import { PasskeyError } from '../../../lib/accounts/webauthn';
import { Notice } from '../../../ui/feedback/Notice';
import { fieldProblem } from '../../../ui/feedback/problem';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { TextInput } from '../../../ui/forms/TextInput';
import { addPasskey } from './addPasskey';
import { ceremonyFault, suggestName } from './passkeyNames';

interface Props {
  taken: readonly string[];
  onClose: () => void;
  onAdded: (codes: readonly string[] | null) => Promise<void>;
}

export function AddPasskeyDialog({ taken, onClose, onAdded }: Props) {
  const [name, setName] = useState(() => suggestName(navigator.userAgent, taken));
  const add = useMutation({ mutationFn: addPasskey, onSuccess: ({ codes }) => onAdded(codes) });
  const problem = isApiError(add.error) ? problemOf(add.error, 'Couldn’t add the passkey') : null;
  const fault =
    add.error && !problem
      ? ceremonyFault(add.error instanceof PasskeyError ? add.error.cause : add.error)
      : null;
  const supported = browserSupportsWebAuthn();
  const trimmed = name.trim();
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Add passkey"
      intro="Next, your browser asks where to save it: on this device, your phone or a security key."
    >
      <FormShell
        aria-label="Add passkey"
        error={problem}
        fields={['name']}
        pending={add.isPending}
        onSubmit={() => {
          if (trimmed !== '') add.mutate(trimmed);
        }}
        submitLabel="Continue"
        pendingLabel="Waiting for your device…"
        {...(supported
          ? {}
          : { blockedReason: 'Passkeys aren’t supported here. They need a recent browser and HTTPS.' })}
        onCancel={onClose}
      >
        <TextInput
          label="Name"
          help="Helps you recognize it in this list."
          value={name}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
          error={trimmed === '' ? 'Enter a name.' : fieldProblem(problem, 'name')}
        />
        {fault !== null && <Notice tone="attention">{fault}</Notice>}
      </FormShell>
    </FormDialog>
  );
}
