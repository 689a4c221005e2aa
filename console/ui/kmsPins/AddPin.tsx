import { useState } from 'react';
import { KmsRootError } from '../../lib/attestation/kmsRoot';
import {
  type KmsPin,
  MAX_LABEL,
  PinError,
  type PinKind,
  readPinKey,
  withPin,
} from '../../lib/secrets/kmsPins';
import { FormDialog } from '../forms/FormDialog';
import { FormShell } from '../forms/FormShell';
import { SelectInput } from '../forms/SelectInput';
import { TextArea, TextInput } from '../forms/TextInput';
import { KIND_NAMES } from './kinds';

const CHOICES = (Object.keys(KIND_NAMES) as PinKind[]).map((value) => ({ value, label: KIND_NAMES[value] }));

interface Props {
  pins: readonly KmsPin[];
  onPin: (pins: readonly KmsPin[]) => void;
  onClose: () => void;
}

/** Pins a pasted key from the operator, independent of what the server says. */
export function AddPin({ pins, onPin, onClose }: Props) {
  const [kind, setKind] = useState<PinKind>('env');
  const [text, setText] = useState('');
  const [label, setLabel] = useState('');
  const [fault, setFault] = useState<string>();
  const submit = () => {
    try {
      const key = readPinKey(kind, text);
      onPin(withPin(pins, { kind, key, label: label.trim(), pinned_at: new Date().toISOString() }));
      onClose();
    } catch (error) {
      if (!(error instanceof KmsRootError || error instanceof PinError)) throw error;
      setFault(error.message);
    }
  };
  return (
    <FormDialog open wide onClose={onClose} title="Pin a KMS root key">
      <FormShell
        aria-label="Pin a KMS root key"
        error={null}
        pending={false}
        onSubmit={submit}
        submitLabel="Pin key"
        onCancel={onClose}
      >
        <SelectInput
          label="Kind"
          choices={CHOICES}
          value={kind}
          onChange={(event) => setKind(event.target.value === 'ca' ? 'ca' : 'env')}
        />
        <TextArea
          label="Root key"
          mono
          rows={5}
          autoFocus
          spellCheck={false}
          maxLength={32_768}
          help={
            kind === 'ca' ? 'Certificate or public key in PEM, or hex' : 'Public key in hex, 33 or 65 bytes'
          }
          value={text}
          onChange={(event) => setText(event.target.value)}
          error={fault}
        />
        <TextInput
          label="Label"
          optional
          value={label}
          maxLength={MAX_LABEL}
          autoComplete="off"
          onChange={(event) => setLabel(event.target.value)}
        />
      </FormShell>
    </FormDialog>
  );
}
