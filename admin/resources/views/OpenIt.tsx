import { LinkButton } from '../../../console/ui/controls/LinkButton';
import { Panel } from '../../../console/ui/layout/Panel';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { findResource } from '../../schema/resources';

/** What a view is for: its list, as it was kept. */
export function OpenIt({ record }: { record: AdminRecord }) {
  const list = findResource(String(record.resource));
  if (!list) return null;
  return (
    <Panel title="The list">
      <LinkButton href={`${adminHref.list(list.name)}?view=${record.id}`}>
        Open these {list.plural}
      </LinkButton>
    </Panel>
  );
}
