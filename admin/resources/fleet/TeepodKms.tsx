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
import { UnreachableNotice } from './UnreachableNotice';
import { TeepodPage } from './TeepodPage';

/** A teepod's configured key service, compared with the one its host uses. */
export function TeepodKms({ resource }: { resource: ResourceDescription }) {
  const { id = '' } = useParams();
  const { data, error, refetch } = useFleetQuery<AdminTeepodKms>(`/teepods/${id}/kms`);
  return (
    <TeepodPage
      resource={resource}
      title="Key service"
      subtitle="Configured and reported by the host. CVMs are placed on hosts with their key service."
    >
      {error && !data ? (
        <ErrorNotice problem={problemOf(error, 'Couldn’t load the key service', () => void refetch())} />
      ) : data ? (
        <Facts data={data} />
      ) : (
        <PageSkeleton part rows={4} label="Loading the key service" />
      )}
    </TeepodPage>
  );
}

function Facts({ data }: { data: AdminTeepodKms }) {
  const { kms_id, slug, type, url, state, k256_pubkey, next_k256_pubkey } = data;
  const { answered, host_urls, key_state, found } = data;
  return (
    <>
      <UnreachableNotice answer={data} />
      <Panel title="Configured" framed>
        {kms_id === null ? (
          <p>No key service is set. Edit the teepod to choose one.</p>
        ) : (
          <KeyValue
            facts={[
              {
                label: 'Name',
                value: <TextLink href={adminHref.show('kms', kms_id)}>{slug ?? ''}</TextLink>,
              },
              { label: 'Type', value: type },
              {
                label: 'State',
                value: <StatusChip quiet status={state ?? 'unknown'} />,
              },
              { label: 'URL', value: url },
              {
                label: 'Pinned key',
                value: k256_pubkey === null ? 'None' : <CopyId id={k256_pubkey} what="key" most={24} />,
              },
              ...(next_k256_pubkey === null
                ? []
                : [
                    {
                      label: 'Next pinned key',
                      value: <CopyId id={next_k256_pubkey} what="next key" most={24} />,
                    },
                  ]),
            ]}
          />
        )}
      </Panel>
      <Panel title="Reported by the host">
        {answered && (
          <p>
            {host_urls.length === 0
              ? 'The host reports no key service.'
              : `The host uses ${host_urls.join(', ')}.`}
          </p>
        )}
        <CheckList
          checks={[
            {
              name: 'kms',
              title: 'Keys',
              state: key_state,
              found,
              advice: null,
            },
          ]}
        />
      </Panel>
    </>
  );
}
