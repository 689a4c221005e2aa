import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import { useId } from 'react';
import type { WebhookEventKind } from '../../../generated/api/types.gen';
import { describedBy, FieldError } from '../../ui/forms/Field';
import { CheckboxInput } from '../../ui/forms/SwitchInput';
import { space, type } from '../../ui/theme';
import { EVENT_KINDS, EVENTS } from './texts';

const Set = styled('fieldset')({ border: 0, margin: 0, padding: 0, minWidth: 0 });
const Legend = styled('legend')({ ...type.small, fontWeight: 550, padding: 0, marginBottom: space(2) });
const List = styled('div')({ display: 'grid', gap: space(2.5), marginBottom: space(2) });

interface Props {
  value: readonly WebhookEventKind[];
  onChange: (events: WebhookEventKind[]) => void;
  error?: string | undefined;
}

export function EventBoxes({ value, onChange, error }: Props) {
  const id = useId();
  const all = EVENT_KINDS.every((kind) => value.includes(kind));
  return (
    <Set
      {...describedBy(error !== undefined && `${id}-error`)}
      aria-invalid={error === undefined ? undefined : true}
    >
      <Legend>Events</Legend>
      <List>
        {EVENT_KINDS.map((kind) => (
          <CheckboxInput
            key={kind}
            label={kind}
            help={EVENTS[kind]}
            checked={value.includes(kind)}
            // Keeps the list's order, not the order of clicks.
            onChange={({ target }) =>
              onChange(EVENT_KINDS.filter((one) => (one === kind ? target.checked : value.includes(one))))
            }
          />
        ))}
      </List>
      <Button size="small" onClick={() => onChange(all ? [] : EVENT_KINDS)}>
        {all ? 'None' : 'All events'}
      </Button>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Set>
  );
}
