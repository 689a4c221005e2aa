import { Button } from '../../ui/controls/Button';
import styled from '@emotion/styled';
import type { WebhookEventKind } from '../../../generated/api/types.gen';
import { FieldGroup } from '../../ui/forms/Field';
import { CheckboxInput } from '../../ui/forms/SwitchInput';
import { space } from '../../ui/theme';
import { EVENT_KINDS, EVENTS } from './texts';

const List = styled('div')({ display: 'grid', gap: space(2.5) });
const All = styled(Button)({ justifySelf: 'start' });

interface Props {
  value: readonly WebhookEventKind[];
  onChange: (events: WebhookEventKind[]) => void;
  error?: string | undefined;
}

export function EventBoxes({ value, onChange, error }: Props) {
  const all = EVENT_KINDS.every((kind) => value.includes(kind));
  return (
    <FieldGroup label="Events" error={error}>
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
      <All size="small" onClick={() => onChange(all ? [] : EVENT_KINDS)}>
        {all ? 'Clear' : 'All events'}
      </All>
    </FieldGroup>
  );
}
