import type { ComponentProps } from 'react';
import { PasswordInput } from './PasswordInput';

type Props = Omit<ComponentProps<typeof PasswordInput>, 'label' | 'name' | 'autoComplete' | 'maxLength'>;

/** The user's current password, required to confirm a change. */
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
