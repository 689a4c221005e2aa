import { useState, type ComponentProps } from 'react';
import { problemOf } from '../../../api/problem';
import { chainById } from '../../../lib/kms/chains';
import { ErrorNotice } from '../../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../../ui/feedback/Skeletons';
import { Panel } from '../../../ui/layout/Panel';
import { ContractView } from './ContractView';
import { useContract, useIsAllowed, useEntryUsage } from './queries';
import { useOwnerFee } from './useOwnerFee';

/** The contract of a CVM's app, read from the chain every few seconds. */
export function ContractPanel({
  teamSlug,
  app_id,
  cvm_id,
}: {
  teamSlug: string;
  app_id: string;
  cvm_id: string;
}) {
  const { data: contract, error, refetch } = useContract(teamSlug, app_id);
  const { data: verdict = null } = useIsAllowed(teamSlug, cvm_id);
  const [removing, setRemoving] = useState(false);
  const usage = useEntryUsage(teamSlug, app_id, removing);
  const chain = contract && chainById(contract.chain_id);
  if (contract && chain)
    return (
      <EstimatedView {...{ teamSlug, app_id, contract, chain, verdict, usage }} onRemoval={setRemoving} />
    );
  const problem = problemOf(error, 'Couldn’t load the contract', () => void refetch());
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
