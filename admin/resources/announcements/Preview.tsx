import { TextLink } from '../../../console/ui/link';
import { Panel } from '../../../console/ui/layout/Panel';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import type { ResourceDescription } from '../../schema/types';
import { Banner } from './Banner';
import { Reach } from './Reach';
import { useAudience } from './useAudience';

/** The announcement as users see it, and how many of them. */
export function Preview({ resource, record }: { resource: ResourceDescription; record: AdminRecord }) {
  const { data, isError } = useAudience(record.id);
  return (
    <Panel
      title="Preview"
      {...(isError && data === undefined
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
