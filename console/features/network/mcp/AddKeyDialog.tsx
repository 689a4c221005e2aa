import { useState } from 'react';
import { keyEntry, keyNameFault } from '../../../lib/mcp/keys';
import { randomText } from '../../../lib/secrets/randomText';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { FormShell } from '../../../ui/forms/FormShell';
import { ShownOnce } from '../../../ui/forms/ShownOnce';
import { TextInput } from '../../../ui/forms/TextInput';
import { Text } from './parts';

const KEY_LENGTH = 40;

interface Props {
  /** Names of existing keys, as far as known. */
  taken: readonly string[];
  onClose: () => void;
}

/** Generates a key in the browser and explains how to add it to the server. Nothing is sent or stored. */
export function AddKeyDialog({ taken, onClose }: Props) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const fault = keyNameFault(name, taken);
  const submit = () => {
    setTried(true);
    if (fault === undefined) setKey(randomText(KEY_LENGTH));
  };
  if (key !== null) return <NewKey name={name} value={key} onDone={onClose} />;
  return (
    <FormDialog open onClose={onClose} title="Add a key">
      <FormShell
        aria-label="Add a key"
        error={null}
        pending={false}
        onSubmit={submit}
        onCancel={onClose}
        submitLabel="Generate key"
      >
        <TextInput
          label="Name"
          mono
          value={name}
          maxLength={64}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          help="For example, the client’s name. Clients can read their own key’s name."
          onChange={(event) => setName(event.target.value.trim())}
          error={tried ? fault : undefined}
        />
      </FormShell>
    </FormDialog>
  );
}

function NewKey({ name, value, onDone }: { name: string; value: string; onDone: () => void }) {
  return (
    <FormDialog open wide title={`Key for ${name}`}>
      <ShownOnce
        notice={{
          title: 'This key is shown only once.',
          text: 'This browser generated it. The server doesn’t accept it until you update the app’s secrets.',
        }}
        codes={[
          { title: 'Key for the client', code: value },
          { title: 'Entry for MCP_KEYS', code: keyEntry(name, value) },
        ]}
        onDone={onDone}
      >
        <Text>
          In the app’s secrets, add the entry to MCP_KEYS, with a comma between entries. Secrets are encrypted
          together: enter the other values again, unless your saved values fill them in. The first time you
          add a key, the new variable changes the compose hash.
        </Text>
      </ShownOnce>
    </FormDialog>
  );
}
