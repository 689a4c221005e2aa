import styled from '@emotion/styled';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { checkProvisionContract } from '../../../../../generated/api/sdk.gen';
import { inTeam } from '../../../../api/client';
import { ApiError } from '../../../../api/apiError';
import { feeEstimator } from '../../../../api/feeEstimator';
import { problemOf } from '../../../../api/problem';
import { chainById, type ChainDefinition } from '../../../../lib/kms/chains';
import { ErrorNotice } from '../../../../ui/feedback/ErrorNotice';
import { space } from '../../../../ui/theme';
import type { ContractRequest } from '../useDeploy';
import { AppContractPanel } from './AppContractPanel';
import { contractOf, contractOfOtherDevice, saveContract, type Needed } from './savedContract';
import { useSavedContract } from './useSavedContract';

const Box = styled('div')({ marginTop: space(6), outline: 'none' });

const Stack = styled('div')({ display: 'grid', gap: space(4), minWidth: 0 });

/** How often the chain is searched for the contract, in ms. Blocks come every few seconds. */
const WATCH_MS = 10_000;

/** Scrolls the user to the step that a running deployment waits for. */
export function ContractStep({ teamSlug, request }: { teamSlug: string; request: ContractRequest }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const needed = useMemo(() => contractOf(request.provision), [request.provision]);
  const chain = needed === null ? undefined : chainById(needed.chain_id);
  return (
    <Box ref={box} tabIndex={-1}>
      {chain && needed ? (
        <Watched {...{ teamSlug, request, needed, chain }} />
      ) : (
        <ErrorNotice
          problem={{
            title: 'This KMS can’t be used here',
            message: 'The server didn’t report a known network, contract or device for it.',
            suggestions: ['Choose another KMS, or ask an administrator to complete its settings.'],
          }}
        />
      )}
    </Box>
  );
}

interface WatchedProps {
  teamSlug: string;
  request: ContractRequest;
  needed: Needed;
  chain: ChainDefinition;
}

/** Searches the chain for a contract of the entered owner, wherever it was deployed from. */
function Watched({ teamSlug, request: { onDeployed, onStop }, needed, chain }: WatchedProps) {
  const { compose_hash } = needed;
  const check = async (named: { contract?: string; owner?: string }, signal?: AbortSignal) => {
    const options = {
      ...inTeam(teamSlug),
      body: { compose_hash, ...named },
      ...(signal ? { signal } : {}),
      throwOnError: true,
    } as const;
    return (await checkProvisionContract(options)).data;
  };
  // Anyone can deploy a contract that allows the hash, so only those of the user's own account are offered.
  const [owner, setOwner] = useState<string | null>(null);
  const { data: found = null } = useQuery({
    queryKey: ['checkProvisionContract', teamSlug, compose_hash, owner],
    queryFn: owner === null ? skipToken : ({ signal }) => check({ owner }, signal),
    refetchInterval: ({ state }) => (state.data?.app_id == null ? WATCH_MS : false),
    retry: false,
    // The next deployment of the same form needs another contract.
    gcTime: 0,
  });
  // Another team may already use a contract for this hash; then none can be committed, and the user shouldn't pay
  // for one.
  const { error: refused } = useQuery({
    queryKey: ['checkProvisionContract', teamSlug, compose_hash],
    queryFn: ({ signal }) => check({}, signal),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  });
  const isCopy = refused instanceof ApiError && refused.code === 'ERR-03-007';
  const problem = isCopy ? problemOf(refused, 'A contract for this app can’t be used') : null;
  const saved = useSavedContract(needed);
  const otherDevice = useMemo(() => contractOfOtherDevice(needed), [needed]);
  const estimate = useMemo(() => feeEstimator(teamSlug, chain), [teamSlug, chain]);
  return (
    <Stack>
      {problem && <ErrorNotice problem={problem} />}
      <AppContractPanel
        {...{ needed, chain, found, otherDevice, estimate, onDeployed, onStop }}
        check={(contract) => check({ contract })}
        onOwner={setOwner}
        saved={saved}
        onSave={(next) => saveContract(needed, next)}
      />
    </Stack>
  );
}
