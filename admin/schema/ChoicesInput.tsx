import styled from '@emotion/styled';
import { FieldGroup } from '../../console/ui/forms/Field';
import { color, space, type } from '../../console/ui/theme';
import type { ControlProps } from './Input';
import { choiceLabel } from './value';

const Choices = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: `${space(2)} ${space(5)}` });
const Choice = styled('label')({
  ...type.body,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(2),
  minHeight: 24,
  '& > input': { width: 16, height: 16, margin: 0, accentColor: color.accent },
});

/** A multiple choice with one checkbox per value, in the document's order. */
export function ChoicesInput({ field, raw, bound, attach, error }: ControlProps) {
  const chosen: unknown[] = Array.isArray(raw) ? raw : [];
  const { choices = [], words } = field;
  const toggle = (value: string, isChosen: boolean) =>
    bound.onChange(choices.filter((one) => (one === value ? isChosen : chosen.includes(one))));
  return (
    <FieldGroup {...{ label: field.label, help: field.help, error, optional: !field.required, attach }}>
      <Choices>
        {choices.map((value) => (
          <Choice key={value}>
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              onChange={({ target }) => toggle(value, target.checked)}
              onBlur={bound.onBlur}
            />
            {choiceLabel(value, words)}
          </Choice>
        ))}
      </Choices>
    </FieldGroup>
  );
}
