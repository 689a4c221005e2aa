import { TextInput } from './TextInput';

interface Props {
  /** What has to be typed, letter by letter. */
  name: string;
  value: string;
  onChange: (typed: string) => void;
  autoFocus?: boolean;
}

/** Before what cannot be undone: the name of what it is done to. */
export function TypedName({ name, value, onChange, autoFocus = false }: Props) {
  return (
    <TextInput
      label="Type the name to confirm"
      help={
        <>
          The name is <code>{name}</code>
        </>
      }
      mono
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
      autoFocus={autoFocus}
    />
  );
}
