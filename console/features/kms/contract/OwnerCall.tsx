import type { ComponentProps } from 'react';
import { useStale } from '../../../api/useStale';
import { CallDetails } from '../../../ui/wallets/CallDetails';
import { READ_FROM_CONTRACT } from './queries';

/** The server's node may be a block behind the wallet's, and events are read only every few seconds. */
const AGAIN_MS = 5_000;

/** Changes an app's contract. Afterwards, everything read from it is stale. */
export function OwnerCall(props: Omit<ComponentProps<typeof CallDetails>, 'onDone'>) {
  const stale = useStale();
  const onDone = () => {
    const refresh = () => void stale(...READ_FROM_CONTRACT);
    refresh();
    setTimeout(refresh, AGAIN_MS);
  };
  return <CallDetails {...props} onDone={onDone} />;
}
