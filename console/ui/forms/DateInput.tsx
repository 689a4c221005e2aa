import { useRef, useState } from 'react';
import { TextInput } from './TextInput';

interface Props {
  label: string;
  /** A day, as in 2026-11-21; empty without one. */
  value: string;
  min?: string | undefined;
  max?: string | undefined;
  onCommit: (day: string) => void;
}

/** Keys that move within the input or open its picker, and change nothing. */
const NEUTRAL_KEYS = ['Tab', 'Shift', 'Alt', 'ArrowLeft', 'ArrowRight', ' ', 'F4', 'Escape'];

/**
 * A day to filter by. A picked day applies immediately, a typed one on blur or Enter: each digit of its year makes
 * another valid date.
 */
export function DateInput({ label, value, min, max, onCommit }: Props) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  const isTyped = useRef(false);
  const commit = (day: string) => {
    isTyped.current = false;
    if (day !== value) onCommit(day);
  };
  return (
    <TextInput
      label={label}
      type="date"
      value={text}
      min={min}
      max={max}
      onChange={({ target }) => {
        setText(target.value);
        if (!isTyped.current) commit(target.value);
      }}
      onBlur={() => commit(text)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit(text);
        else if (!NEUTRAL_KEYS.includes(key)) isTyped.current = true;
      }}
    />
  );
}
