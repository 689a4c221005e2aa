import { useCallback } from 'react';
import { AgentPage } from '../../features/apps/agent/AgentPage';
import { useCvm, useCvmAddress } from '../../features/cvms/address';
import { composeAfter, hashIsOurs } from '../../features/apps/deploy/update';
import { buildAppCompose } from '../../lib/compose/composeHash';

export function AgentTab() {
  const cvm = useCvm();
  const hashAfter = useCallback(
    (docker_compose_file: string) => {
      if (cvm.compose_file === null || !hashIsOurs(cvm)) return null;
      try {
        return buildAppCompose(composeAfter(cvm.compose_file, { docker_compose_file })).compose_hash;
      } catch {
        // Too large, or text without a valid UTF-8 encoding: the server names the reason when it is sent.
        return null;
      }
    },
    [cvm],
  );
  return <AgentPage cvm={cvm} address={useCvmAddress()} hashAfter={hashAfter} />;
}
