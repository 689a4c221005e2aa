import type { ComponentType } from 'react';
import { useInput } from 'react-admin';
import { PasswordInput } from '../../console/ui/forms/PasswordInput';
import { SelectInput } from '../../console/ui/forms/SelectInput';
import { SwitchInput } from '../../console/ui/forms/SwitchInput';
import { TextArea, TextInput } from '../../console/ui/forms/TextInput';
import { ReferenceInput } from './ReferenceInput';
import type { FieldDescription, FieldType } from './types';
import { choiceLabel, faultOf, fromControl, isNumeric, toControl } from './value';

interface Bound {
  name: string;
  value: string | boolean;
  onChange: (value: unknown) => void;
  onBlur: () => void;
}

export interface ControlProps {
  field: FieldDescription;
  bound: Bound;
  /** Takes the element that gets focus when this field is at fault. */
  attach: (element: HTMLElement | null) => void;
  /** The id as the record has it, for references. */
  raw: unknown;
  error: string | undefined;
}

/** Label, help and fault, the same for every kind of control. */
const around = ({ field, error }: ControlProps) => ({
  label: field.label,
  ...(field.help === undefined ? {} : { help: field.help }),
  error,
  optional: !field.required,
});

const spread = ({ bound, field, attach }: ControlProps) => ({
  name: bound.name,
  value: String(bound.value),
  onChange: (event: { target: { value: string } }) => bound.onChange(fromControl(field, event.target.value)),
  onBlur: bound.onBlur,
  ref: attach,
});

const Line = (props: ControlProps) => (
  <TextInput
    {...around(props)}
    {...spread(props)}
    autoComplete="off"
    spellCheck={props.field.type === 'text'}
  />
);
const Mono = (props: ControlProps) => (
  <TextInput
    {...around(props)}
    {...spread(props)}
    mono
    autoComplete="off"
    spellCheck={false}
    autoCapitalize="none"
  />
);
const Prose = (props: ControlProps) => <TextArea {...around(props)} {...spread(props)} rows={4} />;
/** A list of things is typed as JSON: which keys they have stands under the input. */
function Code(props: ControlProps) {
  const { help, columns = [] } = props.field;
  const shape = `As JSON: [{ ${columns.map(({ name }) => `"${name}": …`).join(', ')} }]`;
  return (
    <TextArea
      {...around(props)}
      {...spread(props)}
      {...(columns.length > 0 ? { help: help === undefined ? shape : `${help} ${shape}` } : {})}
      rows={columns.length > 0 ? 4 : 8}
      mono
      spellCheck={false}
    />
  );
}

const UNITS: Partial<Record<FieldType, string>> = { megabytes: 'MB', gigabytes: 'GB' };

function Figure(props: ControlProps) {
  const { field } = props;
  const unit = UNITS[field.type] ?? field.suffix;
  return (
    <TextInput
      {...around(props)}
      {...spread(props)}
      // Not type="number": browsers change such a value when the wheel turns over it, and hide what they cannot read.
      inputMode={field.type === 'number' ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...(unit === undefined ? {} : { suffix: unit })}
    />
  );
}

const Amount = (props: ControlProps) => (
  <TextInput {...around(props)} {...spread(props)} prefix="$" inputMode="decimal" autoComplete="off" />
);

function Choice(props: ControlProps) {
  const { field } = props;
  const choices = (field.choices ?? []).map((value) => ({ value, label: choiceLabel(value) }));
  // A choice that stands cannot be taken back to nothing, unless nothing is allowed.
  const open = props.bound.value === '' || field.nullable;
  return (
    <SelectInput
      {...around(props)}
      {...spread(props)}
      choices={choices}
      {...(open ? { placeholder: field.nullable ? 'None' : 'Choose…' } : {})}
    />
  );
}

const Switch = ({ field, bound, error, attach }: ControlProps) => (
  <SwitchInput
    label={field.label}
    {...(field.help === undefined ? {} : { help: field.help })}
    {...(error === undefined ? {} : { error })}
    name={bound.name}
    checked={bound.value === true}
    onChange={(event) => bound.onChange(event.target.checked)}
    onBlur={bound.onBlur}
    ref={attach}
  />
);

const Secret = (props: ControlProps) => (
  <PasswordInput
    {...around(props)}
    {...spread(props)}
    autoComplete="off"
    placeholder="Unchanged when left empty"
  />
);

const Moment = (props: ControlProps) => (
  <TextInput {...around(props)} {...spread(props)} type="datetime-local" />
);

const inputs: Readonly<Record<FieldType, ComponentType<ControlProps>>> = {
  text: Line,
  long_text: Prose,
  mono: Mono,
  code: Code,
  secret: Secret,
  integer: Figure,
  number: Figure,
  usage: Figure,
  megabytes: Figure,
  gigabytes: Figure,
  money: Amount,
  boolean: Switch,
  choice: Choice,
  status: Choice,
  time: Moment,
  reference: (props) => <ReferenceInput {...props} around={around(props)} />,
  list: Prose,
  rows: Code,
  json: Code,
};

/** ra-core wraps what a validator says, so that it can be translated; the server's sentences come plain. */
function sentence(message: string | undefined): string | undefined {
  const mark = '@@react-admin@@';
  return message?.startsWith(mark) ? String(JSON.parse(message.slice(mark.length))) : message;
}

/** The input of one field, bound to the form around it. */
export function Input({ field }: { field: FieldDescription }) {
  const { field: control, fieldState } = useInput({
    source: field.name,
    format: (value: unknown) => value,
    parse: (value: unknown) => value,
    validate: (value: unknown) => faultOf(field, isNumeric(field) ? numeric(field, value) : value),
  });
  const value: unknown = control.value;
  const Component = inputs[field.type];
  return (
    <Component
      field={field}
      raw={value}
      attach={control.ref}
      error={sentence(fieldState.error?.message)}
      bound={{
        name: control.name,
        value: toControl(field, value),
        onChange: control.onChange,
        onBlur: () => control.onBlur(),
      }}
    />
  );
}

const numeric = (field: FieldDescription, value: unknown) =>
  typeof value === 'string' ? fromControl(field, value) : value;
