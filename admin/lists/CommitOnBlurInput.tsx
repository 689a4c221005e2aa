import { useId, useState } from 'react';
import { TextInput } from '../../console/ui/forms/TextInput';

interface Props {
  label: string;
  help?: string;
  value: string;
  type?: string;
  inputMode?: 'decimal';
  /** Suggested values; others can be entered, too. */
  suggestions?: readonly { value: string; label: string }[];
  onCommit: (text: string) => void;
}

/** Applies on blur or Enter, because a partial value matches nothing. */
export function CommitOnBlurInput({ label, help, value, suggestions, onCommit, ...rest }: Props) {
  const [text, setText] = useState(value);
  const list = useId();
  const commit = () => text.trim() !== value && onCommit(text.trim());
  return (
    <>
      <TextInput
        label={label}
        {...(help === undefined ? {} : { help })}
        {...rest}
        {...(suggestions === undefined ? {} : { list, autoComplete: 'off', spellCheck: false })}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((one) => (
            <option key={one.value} value={one.value}>
              {one.label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}
