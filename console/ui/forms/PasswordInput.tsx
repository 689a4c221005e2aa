import EyeOffIcon from 'lucide-react/icons/eye-off';
import EyeIcon from 'lucide-react/icons/eye';
import styled from '@emotion/styled';
import { useState, type ComponentPropsWithRef } from 'react';
import { IconAction } from '../controls/IconAction';
import { controlStyle, Field, type FieldProps } from './Field';

const Row = styled('div')({ position: 'relative' });
const Input = styled('input')({ ...controlStyle, paddingRight: 40 });
const Reveal = styled('span')({
  position: 'absolute',
  right: 4,
  top: 0,
  bottom: 0,
  display: 'inline-flex',
  alignItems: 'center',
});

/** `autoComplete` is required, because password managers need "current-password" or "new-password". */
export interface PasswordInputProps
  extends FieldProps, Omit<ComponentPropsWithRef<'input'>, 'type' | 'autoComplete'> {
  autoComplete: 'current-password' | 'new-password' | 'one-time-code' | 'off';
}

export function PasswordInput({ label, help, error, optional, id, ...rest }: PasswordInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <Field {...{ label, help, error, optional, id }}>
      {(control) => (
        <Row>
          <Input
            {...rest}
            {...control}
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
          />
          <Reveal>
            <IconAction
              size="small"
              label={shown ? 'Hide' : 'Show'}
              aria-label={`${shown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOffIcon /> : <EyeIcon />}
            </IconAction>
          </Reveal>
        </Row>
      )}
    </Field>
  );
}
