import type { ComponentProps } from 'react';
import { TextInput } from './TextInput';

/** An amount of money, typed as a decimal number. */
export const AmountInput = (props: ComponentProps<typeof TextInput>) => (
  <TextInput inputMode="decimal" autoComplete="off" maxLength={14} {...props} />
);
