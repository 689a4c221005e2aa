import { useState } from 'react';
import type { Webhook, WebhookEventKind } from '../../../generated/api/types.gen';
import type { ShownProblem } from '../../api/problem';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { TextInput } from '../../ui/forms/TextInput';
import { EventBoxes } from './EventBoxes';

export interface WebhookValues {
  url: string;
  name: string | null;
  events: WebhookEventKind[];
}

interface Props {
  label: string;
  webhook?: Webhook;
  problem: ShownProblem | null;
  pending: boolean;
  submitLabel: string;
  pendingLabel: string;
  onSubmit: (values: WebhookValues) => void;
  onCancel: () => void;
}

/** Where to, what, and what it is called: the same for a new one and an old one. */
export function WebhookForm(props: Props) {
  const { label, webhook, problem, pending, submitLabel, pendingLabel, onSubmit, onCancel } = props;
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [name, setName] = useState(webhook?.name ?? '');
  const [events, setEvents] = useState<WebhookEventKind[]>(webhook?.events ?? []);
  const [tried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if (url.trim() === '' || events.length === 0) return;
    onSubmit({ url: url.trim(), name: name.trim() === '' ? null : name.trim(), events });
  };
  return (
    <FormShell
      aria-label={label}
      error={problem}
      pending={pending}
      onSubmit={submit}
      submitLabel={submitLabel}
      pendingLabel={pendingLabel}
      onCancel={onCancel}
    >
      <TextInput
        label="Address"
        help="Begins with https:// and leads to a public address. It is checked now and before every delivery."
        placeholder="https://hooks.example.com/teehouse"
        type="url"
        inputMode="url"
        mono
        value={url}
        maxLength={2048}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setUrl(event.target.value)}
        error={
          tried && url.trim() === '' ? 'Enter the address of your receiver.' : fieldProblem(problem, 'url')
        }
      />
      <TextInput
        label="Name"
        optional
        help="What it is for."
        placeholder="Chat of the operations team"
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
        error={fieldProblem(problem, 'name')}
      />
      <EventBoxes
        value={events}
        onChange={setEvents}
        error={tried && events.length === 0 ? 'Choose at least one.' : fieldProblem(problem, 'events')}
      />
    </FormShell>
  );
}
