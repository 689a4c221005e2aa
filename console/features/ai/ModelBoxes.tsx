import styled from '@emotion/styled';
import { useQuery } from '@tanstack/react-query';
import { FieldGroup } from '../../ui/forms/Field';
import { CheckboxInput } from '../../ui/forms/SwitchInput';
import { space } from '../../ui/theme';
import { modelsOf } from './keyForm';
import { gatewayOptions } from './queries';

const List = styled('div')({
  display: 'grid',
  gap: space(2),
  maxHeight: 240,
  overflowY: 'auto',
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
    <FieldGroup label="Models" help="If none are selected, the key can use every model." error={error}>
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
    </FieldGroup>
  );
}
