import { useParams } from 'react-admin';
import type { AdminTeepodKms } from '../../../generated/api/types.gen';
import { CopyId } from '../../../console/ui/data/CopyId';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { ErrorNotice } from '../../../console/ui/feedback/ErrorNotice';
import { PageSkeleton } from '../../../console/ui/feedback/Skeletons';
import { StatusChip } from '../../../console/ui/feedback/StatusChip';
import { Panel } from '../../../console/ui/layout/Panel';
import { TextLink } from '../../../console/ui/link';
import { problemOf } from '../../http';
import { adminHref } from '../../paths';
import type { ResourceDescription } from '../../schema/types';
import { useFleetQuery } from './api';
import { CheckList } from './CheckList';
import { Silent } from './Silent';
import { TeepodPage } from './TeepodPage';

/** The key service a teepod is set to, beside the one its host really asks. */
export function TeepodKms({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, refetch } = useFleetQuery<AdminTeepodKms>(`/teepods/${id}/kms`);
  return (
    <TeepodPage
      resource={resource}
      title="Key service"
      subtitle="As it is set here, and as the host says now. CVMs are placed where their key service is."
    >
      {error ? (
        <ErrorNotice problem={problemOf(error, 'It could not be read', () => void refetch())} />
      ) : data ? (
        <Facts data={data} />
      ) : (
        <PageSkeleton part rows={4} label="Asking the host" />
      )}
    </TeepodPage>
  );
}

function Facts({ data }: { data: AdminTeepodKms }) {
  const { kms_id, slug, type, url, state, k256_pubkey, answered, host_urls, key_state, found } = data;
  return (
    <>
      <Silent answer={data} />
      <Panel title="As it is set" framed>
        {kms_id === null ? (
          <p>No key service is chosen. Edit the teepod to choose one.</p>
        ) : (
          <KeyValue
            facts={[
              {
                label: 'Name',
                value: <TextLink href={adminHref.show('kms', kms_id)}>{slug ?? ''}</TextLink>,
              },
              { label: 'Kind', value: type },
              { label: 'State', value: <StatusChip quiet status={state ?? 'unknown'} /> },
              { label: 'Address', value: url },
              {
                label: 'Pinned key',
                value: k256_pubkey === null ? 'None' : <CopyId id={k256_pubkey} what="key" most={24} />,
              },
            ]}
          />
        )}
      </Panel>
      <Panel title="As the host says">
        {answered && (
          <p>{host_urls.length === 0 ? 'It names no key service.' : `It asks ${host_urls.join(', ')}.`}</p>
        )}
        <CheckList
          checks={[{ name: 'kms', title: 'Whose keys it gets', state: key_state, found, advice: null }]}
        />
      </Panel>
    </>
  );
}
