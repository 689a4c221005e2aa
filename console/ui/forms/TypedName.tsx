import { TextInput } from './TextInput';

interface Props {
  /** The exact text to type: a name, an address, or a word for the action. */
  name: string;
  value: string;
  onChange: (typed: string) => void;
  autoFocus?: boolean;
}

/** Requires typing a name before an irreversible action. */
export function TypedName({ name, value, onChange, autoFocus = false }: Props) {
  return (
    <TextInput
      label={`Type “${name}” to confirm`}
      mono
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
      autoFocus={autoFocus}
    />
  );
}
