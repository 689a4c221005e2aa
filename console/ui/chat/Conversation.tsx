import styled from '@emotion/styled';
import type { FormEvent, ReactNode } from 'react';
import { ErrorNotice } from '../feedback/ErrorNotice';
import type { Problem } from '../feedback/problem';
import { TextArea } from '../forms/TextInput';
import { below, space } from '../theme';
import { useSingleFlight } from '../useSingleFlight';

const Columns = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'minmax(0, 1fr) 260px',
  gap: space(6),
  alignItems: 'start',
  [below.phone]: { gridTemplateColumns: 'minmax(0, 1fr)' },
});
const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });
const Turns = styled('ol')({ display: 'grid', gap: space(3), margin: 0, padding: 0, listStyle: 'none' });
const Actions = styled('div')({ display: 'flex', gap: space(2), justifyContent: 'flex-end' });

interface Props {
  /** `Turn`s, oldest first. */
  turns: ReactNode;
  /** Whether an answer is in progress. */
  isBusy: boolean;
  problem: Problem | null;
  /** Name of the form. */
  label: string;
  /** The message being written. */
  text: string;
  maxLength: number;
  onText: (text: string) => void;
  onSend: () => void;
  /** Controls between the message and the buttons. */
  extras?: ReactNode;
  /** Buttons, one of which submits the form. */
  actions: ReactNode;
  /** Fields beside the conversation. */
  settings: ReactNode;
}

/** Messages and answers, a form for the next message, and settings beside them. */
export function Conversation({
  turns,
  isBusy,
  problem,
  label,
  text,
  maxLength,
  onText,
  onSend,
  extras,
  actions,
  settings,
}: Props) {
  const send = useSingleFlight(onSend);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !isBusy) send();
  };
  return (
    <Columns>
      <Stack>
        <Turns aria-label="Conversation" aria-live="polite" aria-busy={isBusy}>
          {turns}
        </Turns>
        {problem && <ErrorNotice problem={problem} />}
        <form onSubmit={submit} aria-label={label}>
          <Stack>
            <TextArea
              label="Message"
              rows={3}
              value={text}
              maxLength={maxLength}
              onChange={(event) => onText(event.target.value)}
            />
            {extras}
            <Actions>{actions}</Actions>
          </Stack>
        </form>
      </Stack>
      <Stack>{settings}</Stack>
    </Columns>
  );
}
