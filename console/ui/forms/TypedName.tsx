import { TextInput } from './TextInput';

interface Props {
  /** What has to be typed, letter by letter: a name, an address, or a word for what is done. */
  name: string;
  value: string;
  onChange: (typed: string) => void;
  autoFocus?: boolean;
}

/** Before what can't be undone: what it is done to, typed. */
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
