import { Suspense, type ComponentType } from 'react';
import { useInput } from 'react-admin';
import { PasswordInput } from '../../console/ui/forms/PasswordInput';
import { SelectInput } from '../../console/ui/forms/SelectInput';
import { SwitchInput } from '../../console/ui/forms/SwitchInput';
import { lazyWithRetry } from '../../console/ui/lazyWithRetry';
import { TextArea, TextInput } from '../../console/ui/forms/TextInput';
import { ChoicesInput } from './ChoicesInput';
import { ItemsInput, type CellProps } from './ItemsInput';
import { ReferenceInput } from './ReferenceInput';
import { SizeInput } from './SizeInput';
import { SlugsInput } from './SlugsInput';
import { SuggestInput } from './SuggestInput';
import type { FieldDescription, FieldType } from './types';
import { choiceLabel, errorOf, fromControl, isNumeric, toControl } from './value';

const DrainPlanInput = lazyWithRetry(() =>
  import('./DrainPlanInput').then((m) => ({ default: m.DrainPlanInput })),
);

interface Bound {
  name: string;
  value: string | boolean;
  onChange: (value: unknown) => void;
  onBlur: () => void;
}

export interface ControlProps {
  field: FieldDescription;
  bound: Bound;
  /** Ref of the element focused when the field is invalid. */
  attach: (element: HTMLElement | null) => void;
  /** The value as stored. */
  raw: unknown;
  error: string | undefined;
}

/** Label, help and error, the same for every control. */
const around = ({ field, error }: ControlProps) => ({
  label: field.label,
  ...(field.help === undefined ? {} : { help: field.help }),
  error,
  // A field required by another one's value isn't optional, though the schema can't express that.
  optional: !field.required && field.onlyFor === undefined,
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
/** Free-form objects, which no current form has. */
const Code = (props: ControlProps) => (
  <TextArea {...around(props)} {...spread(props)} rows={8} mono spellCheck={false} />
);

function Figure(props: ControlProps) {
  const { field } = props;
  return (
    <TextInput
      {...around(props)}
      {...spread(props)}
      // Not type="number", which changes on scroll and hides invalid input.
      inputMode={field.type === 'number' ? 'decimal' : 'numeric'}
      autoComplete="off"
      {...(field.suffix === undefined ? {} : { suffix: field.suffix })}
    />
  );
}

const Amount = (props: ControlProps) => (
  <TextInput
    {...around(props)}
    {...spread(props)}
    prefix="$"
    // Decimal keyboards on phones have no minus sign.
    inputMode={errorOf(props.field, '-1') === undefined ? 'text' : 'decimal'}
    autoComplete="off"
  />
);

function Choice(props: ControlProps) {
  const { field } = props;
  const choices = (field.choices ?? []).map((value) => ({
    value,
    label: choiceLabel(value, field.words),
  }));
  // A required choice can't be cleared.
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
    {...(props.field.isStored ? { placeholder: 'Leave empty to keep unchanged' } : {})}
  />
);

const Size = (props: ControlProps) => <SizeInput {...props} around={around(props)} />;

const Items = (props: ControlProps) => <ItemsInput {...props} cell={ItemCell} />;

const Moment = (props: ControlProps) => (
  <TextInput {...around(props)} {...spread(props)} type="datetime-local" />
);

const inputs: Readonly<Record<FieldType, ComponentType<ControlProps>>> = {
  text: (props) =>
    props.field.suggest === undefined ? (
      <Line {...props} />
    ) : (
      <SuggestInput {...props} around={around(props)} />
    ),
  long_text: Prose,
  formatted: Prose,
  mono: Mono,
  code: Code,
  secret: Secret,
  integer: Figure,
  number: Figure,
  usage: Figure,
  megabytes: Size,
  gigabytes: Size,
  money: Amount,
  month: Line,
  boolean: Switch,
  choice: Choice,
  status: Choice,
  time: Moment,
  reference: (props) => <ReferenceInput {...props} around={around(props)} />,
  list: (props) => (props.field.choices === undefined ? <Items {...props} /> : <ChoicesInput {...props} />),
  slugs: (props) => <SlugsInput {...props} around={around(props)} />,
  rows: Items,
  drain_plan: (props) => (
    <Suspense fallback={null}>
      <DrainPlanInput {...props} />
    </Suspense>
  ),
  json: Code,
};

/** One field of a row. Errors of rows show at the whole list. */
function ItemCell({ field, value, onChange, onBlur }: CellProps) {
  const Component = inputs[field.type];
  return (
    <Component
      field={field}
      raw={value}
      attach={() => undefined}
      error={undefined}
      bound={{ name: field.name, value: toControl(field, value), onChange, onBlur }}
    />
  );
}

/** Unwraps validator messages, which ra-core wraps for translation; server messages are plain. */
function sentence(message: string | undefined): string | undefined {
  const mark = '@@react-admin@@';
  return message?.startsWith(mark) ? String(JSON.parse(message.slice(mark.length))) : message;
}

/** Input of one field, bound to the surrounding form. */
export function Input({ field }: { field: FieldDescription }) {
  const { field: control, fieldState } = useInput({
    source: field.name,
    format: (value: unknown) => value,
    parse: (value: unknown) => value,
    validate: (value: unknown) => errorOf(field, isNumeric(field) ? numeric(field, value) : value),
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
