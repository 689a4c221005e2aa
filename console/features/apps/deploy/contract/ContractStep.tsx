import styled from '@emotion/styled';
import { useEffect, useRef } from 'react';
import { chainById } from '../../../../lib/kms/chains';
import { ErrorNotice } from '../../../../ui/feedback/ErrorNotice';
import { space } from '../../../../ui/theme';
import type { ContractRequest } from '../useDeploy';
import { AppContractPanel } from './AppContractPanel';
import { contractOf, saveContract, savedContract } from './savedContract';

const Box = styled('div')({ marginTop: space(6), outline: 'none' });

/** Takes the user to what a running deployment waits for. */
export function ContractStep({ request: { provision, onDeployed, onStop } }: { request: ContractRequest }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const needed = contractOf(provision);
  const chain = needed === null ? undefined : chainById(needed.chain_id);
  return (
    <Box ref={box} tabIndex={-1}>
      {chain && needed ? (
        <AppContractPanel
          needed={needed}
          chain={chain}
          saved={savedContract(needed)}
          onSave={(saved) => saveContract(needed, saved)}
          onDeployed={onDeployed}
          onStop={onStop}
        />
      ) : (
        <ErrorNotice
          problem={{
            title: 'This KMS can’t be used from here',
            message: 'The server named no known network, contract or device for it.',
            suggestions: ['Choose another KMS, or ask an administrator to complete its settings.'],
          }}
        />
      )}
    </Box>
  );
}
