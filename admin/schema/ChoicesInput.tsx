import styled from '@emotion/styled';
import { useId } from 'react';
import { describedBy, FieldError, Help } from '../../console/ui/forms/Field';
import { color, space, type } from '../../console/ui/theme';
import type { ControlProps } from './Input';
import { choiceLabel } from './value';

const Group = styled('fieldset')({
  display: 'grid',
  gap: space(2),
  minWidth: 0,
  margin: 0,
  padding: 0,
  border: 0,
});
const Legend = styled('legend')({ ...type.small, fontWeight: 550, marginBottom: space(1.5), padding: 0 });
const Optional = styled('span')({
  ...type.caption,
  fontWeight: 400,
  color: color.faint,
  marginLeft: space(2),
});
const Choices = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: `${space(2)} ${space(5)}` });
const Choice = styled('label')({
  ...type.body,
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(2),
  minHeight: 24,
  '& > input': { width: 16, height: 16, margin: 0, accentColor: color.accent },
});

/** A list of values out of a few: one checkbox each, in the document's order. */
export function ChoicesInput({ field, raw, bound, attach, error }: ControlProps) {
  const id = useId();
  const chosen: unknown[] = Array.isArray(raw) ? raw : [];
  const { choices = [], words } = field;
  const toggle = (value: string, isChosen: boolean) =>
    bound.onChange(choices.filter((one) => (one === value ? isChosen : chosen.includes(one))));
  return (
    <Group
      {...describedBy(error !== undefined && `${id}-error`, field.help !== undefined && `${id}-help`)}
      aria-invalid={error !== undefined || undefined}
      tabIndex={-1}
      ref={attach}
    >
      <Legend>
        {field.label}
        {!field.required && <Optional>optional</Optional>}
      </Legend>
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
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {field.help !== undefined && <Help id={`${id}-help`}>{field.help}</Help>}
    </Group>
  );
}
