import styled from '@emotion/styled';
import { space } from '../theme';
import { FieldGroup, type FieldProps } from './Field';
import { CheckboxInput } from './SwitchInput';

const List = styled('div')({ display: 'grid', gap: space(2) });
const Rows = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: `${space(2)} ${space(5)}` });

interface Props extends FieldProps {
  choices: readonly { value: string; label: string }[];
  /** The chosen values, separated by commas. */
  value: string;
  onChange: (value: string) => void;
  /** Whether they are short enough to stand side by side. */
  inline?: boolean;
}

/** A multiple choice with one checkbox per value. */
export function ChoiceBoxes({ choices, value, onChange, inline = false, ...field }: Props) {
  const chosen = value === '' ? [] : value.split(',');
  const Box = inline ? Rows : List;
  const toggle = (one: string, on: boolean) =>
    onChange((on ? [...chosen, one] : chosen.filter((other) => other !== one)).join(','));
  return (
    <FieldGroup {...field}>
      <Box>
        {choices.map((one) => (
          <CheckboxInput
            key={one.value}
            label={one.label}
            checked={chosen.includes(one.value)}
            onChange={(event) => toggle(one.value, event.target.checked)}
          />
        ))}
      </Box>
    </FieldGroup>
  );
}
