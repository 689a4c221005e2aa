import { useQuery } from '@tanstack/react-query';
import { TextLink } from '../../../console/ui/link';
import { Panel } from '../../../console/ui/layout/Panel';
import { fetchJson } from '../../http';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';
import { Banner } from './Banner';
import { Reach } from './Reach';

/** Number of users in an announcement's audience. */
const useAudience = (id: AdminRecord['id']) =>
  useQuery({
    queryKey: ['announcement-audience', id],
    queryFn: async ({ signal }) => {
      const reply = await fetchJson(`/api/v1/admin/announcements/${id}/affected-users?range=[0,0]`, {
        signal,
      });
      return Number(reply.headers.get('Content-Range')?.split('/').at(-1) ?? 0);
    },
    retry: false,
  });

/** The announcement as users see it, and how many of them. */
export function Preview({ resource, record }: { resource: ResourceDescription; record: AdminRecord }) {
  const { data } = useAudience(record.id);
  return (
    <Panel
      title="Preview"
      {...(data === undefined
        ? {}
        : {
            subtitle: (
              <Reach
                users={data}
                everybody={record.audience === 'everybody'}
                future={record.state === 'draft'}
                link={(text) => (
                  <TextLink href={adminHref.child(resource.name, record.id, 'affected-users')}>
                    {text}
                  </TextLink>
                )}
              />
            ),
          })}
    >
      <Banner announcement={record} />
    </Panel>
  );
}
