import { TextInput } from './TextInput';

interface Props {
  /** What has to be typed, letter by letter. */
  name: string;
  /** It is a word for what is done, and no name of what it is done to. */
  word?: boolean;
  value: string;
  onChange: (typed: string) => void;
  autoFocus?: boolean;
}

/** Before what cannot be undone: the name of what it is done to. */
export function TypedName({ name, word = false, value, onChange, autoFocus = false }: Props) {
  return (
    <TextInput
      label={word ? `Type “${name}” to confirm` : 'Type the name to confirm'}
      {...(word
        ? {}
        : {
            help: (
              <>
                The name is <code>{name}</code>
              </>
            ),
          })}
      mono
      value={value}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
      autoFocus={autoFocus}
    />
  );
}
