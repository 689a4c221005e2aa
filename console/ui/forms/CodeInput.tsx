import styled from '@emotion/styled';
import { useRef, type Ref } from 'react';
import { font } from '../theme';
import { controlStyle, Field, type FieldProps } from './Field';

const DIGITS = 6;

const Input = styled('input')({
  ...controlStyle,
  fontFamily: font.mono,
  fontSize: '20px',
  letterSpacing: '0.32em',
  fontVariantNumeric: 'tabular-nums',
  height: '44px',
  '@media (pointer: coarse)': { fontSize: '20px', height: '48px' },
});

/** Returns the digits of typed or pasted text: "123 456" and "123-456" are the same code. */
export const codeDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, DIGITS);

export const isWholeCode = (code: string): boolean => code.length === DIGITS;

interface Props extends FieldProps {
  value: string;
  onChange: (code: string) => void;
  /** Called when all digits are entered, whether typed, pasted or autofilled. */
  onComplete: (code: string) => void;
  disabled?: boolean;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/**
 * Input for an authenticator app's six digits. A single field, so that paste, password managers, the phone's
 * suggestions and screen readers all work.
 */
export function CodeInput({ label, help, error, optional, value, onChange, onComplete, ...rest }: Props) {
  // The same digits are submitted automatically only once; after a refusal, the user edits them or clicks the
  // button.
  const completed = useRef('');
  return (
    <Field {...{ label, help, error, optional }}>
      {(control) => (
        <Input
          {...rest}
          {...control}
          type="text"
          name="one-time-code"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          placeholder="······"
          value={value}
          onChange={(event) => {
            const code = codeDigits(event.target.value);
            onChange(code);
            if (!isWholeCode(code)) completed.current = '';
            else if (completed.current !== code) {
              completed.current = code;
              onComplete(code);
            }
          }}
        />
      )}
    </Field>
  );
}
