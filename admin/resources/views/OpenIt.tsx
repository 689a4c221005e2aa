import { LinkButton } from '../../../console/ui/controls/Button';
import { KeyValue } from '../../../console/ui/data/KeyValue';
import { Panel } from '../../../console/ui/layout/Panel';
import { chipsOf, type Values } from '../../lists/filterValues';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';
import { findResource } from '../../schema/resources';
import type { ResourceDescription } from '../../schema/types';

/** A saved view's contents, with a link to its list. */
export function OpenIt({ record }: { record: AdminRecord }) {
  const list = findResource(String(record.resource));
  if (!list) return null;
  return (
    <Panel
      title="List"
      framed
      actions={
        <LinkButton size="small" href={`${adminHref.list(list.name)}?view=${record.id}`}>
          Open {list.plural}
        </LinkButton>
      }
    >
      <KeyValue facts={factsOf(list, String(record.query))} />
    </Panel>
  );
}

/** Returns the view's filters, order, columns and row height in words. */
function factsOf(list: ResourceDescription, query: string) {
  const params = new URLSearchParams(query);
  const labelOf = (name: string) => list.columns.find((column) => column.name === name)?.label ?? name;
  const sort = params.get('sort');
  const columns = params.get('columns');
  const filters = chipsOf(list, filterOf(params.get('filter')));
  return [
    ...(filters.length === 0
      ? [{ label: 'Filters', value: 'None' }]
      : filters.map(({ label, value }) => ({ label, value }))),
    ...(sort === null
      ? []
      : [
          {
            label: 'Sorted by',
            value: `${labelOf(sort)}, ${params.get('order') === 'DESC' ? 'descending' : 'ascending'}`,
          },
        ]),
    ...(columns === null
      ? []
      : [{ label: 'Columns', value: columns.split(',').map(labelOf).join(', '), wide: true }]),
    ...(params.get('density') === 'compact' ? [{ label: 'Rows', value: 'Compact' }] : []),
  ];
}

function filterOf(json: string | null): Values {
  try {
    const filter: unknown = JSON.parse(json ?? '{}');
    return typeof filter === 'object' && filter !== null ? (filter as Values) : {};
  } catch {
    return {};
  }
}
