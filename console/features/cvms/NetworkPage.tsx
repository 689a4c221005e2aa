import { useQuery } from '@tanstack/react-query';
import { getCvmNetworkOptions } from '../../../generated/api/@tanstack/react-query.gen';
import { inTeam } from '../../api/client';
import { problemOf } from '../../api/problem';
import { KeyValue } from '../../ui/data/KeyValue';
import { ErrorNotice } from '../../ui/feedback/ErrorNotice';
import { CardSkeleton } from '../../ui/feedback/Skeletons';
import { Panel } from '../../ui/layout/Panel';
import { useCvm, useCvmAddress } from './address';
import { Endpoints } from './Endpoints';

/** Where it answers, and how its guest is connected. */
export function NetworkPage() {
  const cvm = useCvm();
  const { teamSlug, vmUuid } = useCvmAddress();
  const { data, error, refetch } = useQuery(
    getCvmNetworkOptions({ ...inTeam(teamSlug), path: { cvm_id: vmUuid } }),
  );
  const problem = data ? null : problemOf(error, 'The network could not be read', () => void refetch());
  return (
    <>
      <Panel title="Endpoints">
        <Endpoints
          urls={cvm.public_urls}
          running={cvm.status === 'running'}
          gateway_enabled={cvm.gateway_enabled}
        />
      </Panel>
      <Panel title="Connection">
        {problem ? (
          <ErrorNotice problem={problem} />
        ) : !data ? (
          <CardSkeleton lines={2} />
        ) : (
          <KeyValue
            facts={[
              { label: 'Guest', value: data.is_online ? 'Connected' : (data.error ?? 'Not connected') },
              { label: 'Internal address', value: data.internal_ip ?? '—' },
              { label: 'Gateway domain', value: cvm.gateway.base_domain ?? '—' },
              { label: 'Last handshake', value: data.latest_handshake ?? '—' },
            ]}
          />
        )}
      </Panel>
    </>
  );
}
