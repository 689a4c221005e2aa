import { useQueryClient } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { CallDetails } from '../../../ui/wallets/CallDetails';

/** The server's node may be a block behind the wallet's, and events are read only every few seconds. */
const AGAIN_MS = 5_000;

/** Changes an app's contract. Afterwards, everything read from the chain is stale. */
export function OwnerCall(props: Omit<ComponentProps<typeof CallDetails>, 'onDone'>) {
  const queryClient = useQueryClient();
  const onDone = () => {
    const refresh = () => void queryClient.invalidateQueries();
    refresh();
    setTimeout(refresh, AGAIN_MS);
  };
  return <CallDetails {...props} onDone={onDone} />;
}
