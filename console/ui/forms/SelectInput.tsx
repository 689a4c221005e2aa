import ChevronsUpDownIcon from 'lucide-react/icons/chevrons-up-down';
import styled from '@emotion/styled';
import type { ComponentPropsWithRef } from 'react';
import { color } from '../theme';
import { controlStyle, Field, type FieldProps } from './Field';

const Row = styled('div')({ position: 'relative' });
const Select = styled('select')({
  ...controlStyle,
  appearance: 'none',
  paddingRight: 32,
  textOverflow: 'ellipsis',
});
const Arrow = styled('span')({
  position: 'absolute',
  right: 8,
  top: 0,
  bottom: 0,
  display: 'inline-flex',
  alignItems: 'center',
  pointerEvents: 'none',
  color: color.muted,
  fontSize: 16,
});

export interface Choice {
  value: string;
  label: string;
  disabled?: boolean;
  group?: string;
}

export interface SelectInputProps extends FieldProps, ComponentPropsWithRef<'select'> {
  choices: readonly Choice[];
  /** Shown if nothing is selected. */
  placeholder?: string;
}

/**
 * A selection from a known list. Uses the browser's own control, so that type-ahead, phone pickers and screen
 * readers work.
 */
export function SelectInput({
  label,
  help,
  error,
  optional,
  id,
  choices,
  placeholder,
  ...rest
}: SelectInputProps) {
  const groups = [...new Set(choices.map((choice) => choice.group))];
  const options = (group: string | undefined) =>
    choices
      .filter((choice) => choice.group === group)
      .map((choice) => (
        <option key={choice.value} value={choice.value} disabled={choice.disabled}>
          {choice.label}
        </option>
      ));
  return (
    <Field {...{ label, help, error, optional, id }}>
      {(control) => (
        <Row>
          <Select {...rest} {...control}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {groups.map((group) =>
              group === undefined ? (
                options(group)
              ) : (
                <optgroup key={group} label={group}>
                  {options(group)}
                </optgroup>
              ),
            )}
          </Select>
          <Arrow aria-hidden>
            <ChevronsUpDownIcon />
          </Arrow>
        </Row>
      )}
    </Field>
  );
}
