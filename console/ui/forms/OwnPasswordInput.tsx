import type { ComponentProps } from 'react';
import { PasswordInput } from './PasswordInput';

type Props = Omit<ComponentProps<typeof PasswordInput>, 'label' | 'name' | 'autoComplete' | 'maxLength'>;

/** The password that somebody has, asked for once more. */
export const OwnPasswordInput = (props: Props) => (
  <PasswordInput
    label="Your password"
    name="password"
    autoComplete="current-password"
    maxLength={200}
    autoFocus
    {...props}
  />
);
