import { cutWhole } from '../../../lib/texts/cutWhole';
import { MAX_TEXT, type ToolField } from '../../../lib/mcp/toolForm';
import { SelectInput } from '../../../ui/forms/SelectInput';
import { TextArea, TextInput } from '../../../ui/forms/TextInput';

interface Props {
  field: ToolField;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A tool argument, in a control that fits its schema. */
export function ArgumentField({ field, value, error, onChange }: Props) {
  const common = {
    label: field.name,
    optional: !field.required,
    error,
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
    ...(field.help === '' ? {} : { help: field.help }),
  };
  const typed = { ...common, autoComplete: 'off', spellCheck: false };
  switch (field.kind) {
    case 'choice':
      return (
        <SelectInput
          {...common}
          placeholder={field.required ? 'Choose…' : 'Not set'}
          choices={field.choices.map((choice, index) => ({
            value: String(index),
            label: cutWhole(String(choice), 200),
          }))}
        />
      );
    case 'number':
      return (
        <TextInput {...typed} mono inputMode={field.is_integer ? 'numeric' : 'decimal'} maxLength={40} />
      );
    case 'text':
      return field.is_long ? (
        <TextArea {...typed} rows={2} maxLength={field.max_length} />
      ) : (
        <TextInput {...typed} maxLength={field.max_length} />
      );
    case 'lines':
      return <TextArea {...typed} rows={3} maxLength={MAX_TEXT} />;
    case 'json':
      return <TextArea {...typed} mono rows={4} maxLength={MAX_TEXT} />;
  }
}
