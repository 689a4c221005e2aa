import { useState, type ComponentProps } from 'react';
import { problemOf } from '../../../api/problem';
import { chainById } from '../../../lib/kms/chains';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { Panel } from '../../../ui/layout/Panel';
import { ContractView } from './ContractView';
import { useContract, useIsAllowed, useEntryUsage } from './queries';
import { unreadContract, unreadVerdict } from './unread';
import { useOwnerFee } from './useOwnerFee';

/** The contract of a CVM's app, polled from the chain every few seconds. */
export function ContractPanel({
  teamSlug,
  app_id,
  cvm_id,
}: {
  teamSlug: string;
  app_id: string;
  cvm_id: string;
}) {
  const { data: read, error, refetch } = useContract(teamSlug, app_id);
  const asked = useIsAllowed(teamSlug, cvm_id);
  const [removing, setRemoving] = useState(false);
  const usage = useEntryUsage(teamSlug, app_id, removing);
  const problem = problemOf(error, 'Couldn’t load the contract', () => void refetch());
  const contract = read && problem ? unreadContract(read, problem.message) : read;
  const failed = problemOf(asked.error, '');
  const verdict = failed ? unreadVerdict(failed.message) : (asked.data ?? null);
  const chain = contract && chainById(contract.chain_id);
  if (contract && chain)
    return (
      <EstimatedView {...{ teamSlug, app_id, contract, chain, verdict, usage }} onRemoval={setRemoving} />
    );
  return (
    <Panel title="App contract">
      {problem ? <ErrorNotice problem={problem} /> : <CardSkeleton lines={5} />}
    </Panel>
  );
}

function EstimatedView({
  teamSlug,
  app_id,
  ...view
}: Omit<ComponentProps<typeof ContractView>, 'estimate'> & { teamSlug: string; app_id: string }) {
  return <ContractView {...view} estimate={useOwnerFee(teamSlug, app_id, view.chain)} />;
}
