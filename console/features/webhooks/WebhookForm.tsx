import { useState } from 'react';
import type { WebhookEventKind, WebhookFormat } from '../../../generated/api/types.gen';
import type { ShownProblem } from '../../api/problem';
import { fieldProblem } from '../../ui/feedback/problem';
import { FormShell } from '../../ui/forms/FormShell';
import { SelectInput } from '../../ui/forms/SelectInput';
import { TextInput } from '../../ui/forms/TextInput';
import { EventBoxes } from './EventBoxes';
import { FORMATS } from './texts';

/** Form input as typed. */
export interface WebhookValues {
  url: string;
  name: string;
  format: WebhookFormat;
  events: WebhookEventKind[];
}

export const toWebhook = ({ url, name, format, events }: WebhookValues) => ({
  url: url.trim(),
  name: name.trim() === '' ? null : name.trim(),
  format,
  events,
});

interface Props {
  label: string;
  values: WebhookValues;
  onEdit: (change: Partial<WebhookValues>) => void;
  problem: ShownProblem | null;
  pending: boolean;
  submitLabel: string;
  pendingLabel: string;
  onSubmit: () => void;
  onCancel: () => void;
}

const CHOICES = Object.entries(FORMATS).map(([value, { label }]) => ({ value, label }));

/** Form for URL, format, events and name, for new and existing webhooks. */
export function WebhookForm(props: Props) {
  const { label, values, onEdit, problem, pending, submitLabel, pendingLabel, onSubmit, onCancel } = props;
  const { url, name, format, events } = values;
  const [tried, setTried] = useState(false);
  const submit = () => {
    setTried(true);
    if (url.trim() !== '' && events.length > 0) onSubmit();
  };
  return (
    <FormShell
      aria-label={label}
      error={problem}
      fields={['url', 'format', 'name', 'events']}
      pending={pending}
      onSubmit={submit}
      submitLabel={submitLabel}
      pendingLabel={pendingLabel}
      onCancel={onCancel}
    >
      <TextInput
        label="URL"
        help="An https:// URL at a public address. It is checked now and before every delivery."
        placeholder="https://hooks.example.com/teehouse"
        type="url"
        inputMode="url"
        mono
        value={url}
        maxLength={2048}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onEdit({ url: event.target.value })}
        error={tried && url.trim() === '' ? 'Enter the URL of your receiver.' : fieldProblem(problem, 'url')}
      />
      <SelectInput
        label="Format"
        help={FORMATS[format].help}
        value={format}
        choices={CHOICES}
        onChange={(event) => onEdit({ format: event.target.value as WebhookFormat })}
        error={fieldProblem(problem, 'format')}
      />
      <TextInput
        label="Name"
        optional
        help="Describes the receiver."
        placeholder="Operations chat"
        value={name}
        maxLength={100}
        autoComplete="off"
        onChange={(event) => onEdit({ name: event.target.value })}
        error={fieldProblem(problem, 'name')}
      />
      <EventBoxes
        value={events}
        onChange={(chosen) => onEdit({ events: chosen })}
        error={tried && events.length === 0 ? 'Choose at least one event.' : fieldProblem(problem, 'events')}
      />
    </FormShell>
  );
}
