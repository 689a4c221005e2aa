import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { CallDetails } from '../../../ui/wallets/CallDetails';

/** A change that the owner of an app's contract makes. Everything that was read from the chain is out of date afterwards. */
export function OwnerCall(props: Omit<ComponentProps<typeof CallDetails>, 'onDone'>) {
  const queryClient = useQueryClient();
  return <CallDetails {...props} onDone={() => void queryClient.invalidateQueries()} />;
}
