import styled from '@emotion/styled';
import { useState } from 'react';
import type { ChainDefinition } from '../../../lib/kms/chains';
import type { ContractCall } from '../../../lib/kms/contractCalls';
import type { EstimateFee } from '../../../lib/wallets/fee';
import { space, type } from '../../../ui/theme';
import { useStored } from '../../../ui/stored';
import { SafeFileButton } from '../../../ui/wallets/SafeFileButton';
import { SENT_CALLS, sentCall } from '../../../ui/wallets/sentCalls';
import { OwnerCall } from './OwnerCall';

const Multisig = styled('div')({ display: 'grid', gap: space(2), justifyItems: 'start' });
const Text = styled('p')({ ...type.body, maxWidth: '64ch' });

/** The transactions that allow a waiting change. Those already sent aren't offered again. */
export function AllowCalls({
  calls,
  contract,
  chain,
  name,
  estimate,
}: {
  calls: readonly ContractCall[];
  contract: string;
  chain: ChainDefinition;
  /** Name of the waiting change. */
  name: string;
  estimate: EstimateFee;
}) {
  const [sent, setSent] = useState<ReadonlySet<string>>(new Set());
  const keep = (data: string) => (isSent: boolean) =>
    setSent((before) => new Set(isSent ? [...before, data] : [...before].filter((one) => one !== data)));
  const [stored] = useStored(SENT_CALLS, '[]');
  const isSent = (data: string) =>
    sent.has(data) || sentCall({ chain_id: chain.id, contract, data }, stored) !== null;
  const left = calls.filter(({ data }) => !isSent(data));
  return (
    <>
      {calls.map((call) => (
        <OwnerCall key={call.data} {...{ call, contract, chain, estimate }} onSent={keep(call.data)} />
      ))}
      {left.length > 0 && (
        <Multisig>
          <Text>Is the owner a Safe? Import this file into its Transaction Builder and sign there.</Text>
          <SafeFileButton calls={left} contract={contract} chain={chain} name={name} />
        </Multisig>
      )}
    </>
  );
}
