import { useQueryClient } from '@tanstack/react-query';
import type { ChainDefinition } from '../../../lib/kms/chains';
import type { ContractCall } from '../../../lib/kms/contractCalls';
import { CallDetails } from '../../../ui/wallets/CallDetails';

/** A change that the owner of an app's contract makes. Everything that was read from the chain is out of date afterwards. */
export function OwnerCall(props: { call: ContractCall; contract: string; chain: ChainDefinition }) {
  const queryClient = useQueryClient();
  return <CallDetails {...props} onDone={() => void queryClient.invalidateQueries()} />;
}
