import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { verifyCvmDomain } from '../../../generated/api/sdk.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { useMay } from '../../api/session';
import { useCvm, useCvmAddress, useCvmLink } from '../cvms/address';
import { AddDomainDialog } from './AddDomainDialog';
import { McpSection } from './McpSection';
import { NetworkView } from './NetworkView';
import { domainsOptions, networkOptions } from './queries';
import { RemoveDomainDialog } from './RemoveDomainDialog';
import { useAddressTests } from './useAddressTests';

/** Endpoints, reachability, domains and the guest's connection. */
export function NetworkPage() {
  const cvm = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const link = useCvmLink();
  const may = useMay('cvms.write', teamSlug);
  const queryClient = useQueryClient();
  const network = useQuery(networkOptions(teamSlug, vmUuid));
  const domains = useQuery(domainsOptions(teamSlug, vmUuid));
  const { tried, tryIt } = useAddressTests(teamSlug, vmUuid);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<string | null>(null);
  const verify = useMutation({
    mutationFn: (domain_id: string) =>
      verifyCvmDomain({
        ...inTeam(teamSlug),
        path: { cvm_id: vmUuid, domain_id },
        throwOnError: true,
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: domainsOptions(teamSlug, vmUuid).queryKey }),
  });
  const verifyProblem = problemOf(verify.error, 'Couldn’t query DNS');
  const gone = domains.data?.data.find(({ id }) => id === removing);
  return (
    <>
      <NetworkView
        cvm={{
          name: cvm.name,
          status: cvm.status,
          host_reachable: cvm.node_info?.status !== 'OFFLINE',
          simulated: cvm.simulated,
        }}
        network={network.data}
        problem={problemOf(network.error, 'Couldn’t load the network', () => void network.refetch())}
        domains={domains.data}
        domainsProblem={problemOf(domains.error, 'Couldn’t load the domains', () => void domains.refetch())}
        tried={tried}
        refused={may.reason}
        verifying={verify.isPending ? verify.variables : null}
        verifyProblem={
          verifyProblem && verify.variables !== undefined
            ? { id: verify.variables, problem: verifyProblem }
            : null
        }
        link={link}
        mcp={
          <McpSection
            {...{ teamSlug, vmUuid }}
            name={cvm.name}
            status={cvm.status}
            ports={network.data?.ports ?? []}
            refused={may.reason}
            compose={cvm.compose_file?.docker_compose_file ?? ''}
            secretsHref={link('compose')}
          />
        }
        onTry={(what, from) => void tryIt(what, from)}
        onAddDomain={() => setAdding(true)}
        onVerifyDomain={(id) => verify.mutate(id)}
        onRemoveDomain={setRemoving}
      />
      {adding && (
        <AddDomainDialog
          {...{ teamSlug, vmUuid }}
          appName={cvm.app_name}
          ports={network.data?.ports ?? []}
          onClose={() => setAdding(false)}
        />
      )}
      {gone && (
        <RemoveDomainDialog {...{ teamSlug, vmUuid }} domain={gone} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}
