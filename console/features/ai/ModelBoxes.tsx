import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { describedBy, FieldError, Help } from '../../ui/forms/Field';
import { CheckboxInput } from '../../ui/forms/SwitchInput';
import { space, type } from '../../ui/theme';
import { modelsOf } from './keyForm';
import { gatewayOptions } from './queries';

const Set = styled('fieldset')({ border: 0, margin: 0, padding: 0, minWidth: 0 });
const Legend = styled('legend')({ ...type.small, fontWeight: 550, padding: 0, marginBottom: space(2) });
const List = styled('div')({
  display: 'grid',
  gap: space(2),
  maxHeight: 240,
  overflowY: 'auto',
  marginTop: space(2),
});

interface Props {
  teamSlug: string;
  /** IDs, separated by commas; empty for every model. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** The models a key may use, including the team's own. */
export function ModelBoxes({ teamSlug, value, onChange, error }: Props) {
  const id = useId();
  const { data } = useQuery(gatewayOptions(teamSlug));
  const chosen = modelsOf(value);
  const offered = data?.models ?? [];
  const gone = data ? chosen.filter((one) => !offered.some((model) => model.id === one)) : [];
  const choices = [
    ...offered.map((model) => ({
      id: model.id,
      help: model.is_team_model ? 'Your team’s own model.' : undefined,
    })),
    ...gone.map((one) => ({ id: one, help: 'No longer offered. Deselect it to change the others.' })),
  ];
  const toggle = (model: string, on: boolean) =>
    onChange((on ? [...chosen, model] : chosen.filter((one) => one !== model)).join(','));
  return (
    <Set
      {...describedBy(error !== undefined && `${id}-error`, `${id}-help`)}
      aria-invalid={error === undefined ? undefined : true}
    >
      <Legend>Models</Legend>
      <Help id={`${id}-help`}>If none are selected, the key can use every model.</Help>
      <List>
        {choices.map((model) => (
          <CheckboxInput
            key={model.id}
            label={model.id}
            checked={chosen.includes(model.id)}
            onChange={(event) => toggle(model.id, event.target.checked)}
            help={model.help}
          />
        ))}
      </List>
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Set>
  );
}
