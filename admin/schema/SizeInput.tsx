import styled from '@emotion/styled';
import { useState } from 'react';
import { controlStyle, Field, type FieldProps } from '../../console/ui/forms/Field';
import { space } from '../../console/ui/theme';
import type { ControlProps } from './Input';
import { inSentence } from './labels';
import { bestUnit, inUnit, toStored, unitsOf } from './sizeUnits';
import { fromControl } from './value';

const Row = styled('div')({ display: 'flex', gap: space(2), minWidth: 0 });
const Amount = styled('input')(controlStyle);
const Unit = styled('select')({ ...controlStyle, flex: 'none', width: 80 });

/** A memory or disk size in a unit of the user's choice. */
export function SizeInput({ field, bound, attach, raw, around }: ControlProps & { around: FieldProps }) {
  const units = unitsOf(field);
  const [chosen, setChosen] = useState<number>();
  const [typed, setTyped] = useState<{ text: string; value: unknown }>();
  // A value loaded later, such as after a conflict, is shown in its own unit until the user chooses one.
  const unit = chosen ?? bestUnit(field, raw);
  const text =
    typed !== undefined && typed.value === raw
      ? typed.text
      : typeof raw === 'number'
        ? String(inUnit(raw, unit))
        : String(raw ?? '');
  const enter = (next: string, nextUnit: number) => {
    const entered = fromControl(field, next);
    const value = typeof entered === 'number' ? toStored(entered, nextUnit) : entered;
    setChosen(nextUnit);
    setTyped({ text: next, value });
    bound.onChange(value);
  };
  return (
    <Field {...around}>
      {(control) => (
        <Row>
          <Amount
            {...control}
            name={bound.name}
            value={text}
            inputMode="decimal"
            autoComplete="off"
            onChange={({ target }) => enter(target.value, unit)}
            onBlur={bound.onBlur}
            ref={attach}
          />
          <Unit
            aria-label={`Unit of ${inSentence(field.label)}`}
            value={unit}
            onChange={({ target }) => enter(text, Number(target.value))}
          >
            {units.map((name, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </Unit>
        </Row>
      )}
    </Field>
  );
}
