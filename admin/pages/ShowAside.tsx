import { AsidePanel, Facts, type AsideFact } from '../../console/ui/layout/AsidePanel';
import { Aside } from '../frame/slots';
import type { AdminRecord } from '../record';
import { Cell } from '../schema/Cell';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { plain } from '../schema/value';
import { ownValue } from '../../console/lib/ownValue';

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  fields: readonly FieldDescription[];
  /** Shown only if the page has no other aside. */
  spare?: boolean;
}

/** The record's ID and times. */
export function ShowAside({ resource, record, fields, spare = false }: Props) {
  const fact = (field: FieldDescription): AsideFact =>
    field.name === 'id'
      ? { label: field.label, copy: plain(record.id) }
      : {
          label: field.label,
          value: <Cell field={field} value={ownValue(record, field.name)} record={record} />,
        };
  return (
    <Aside spare={spare}>
      <AsidePanel
        sections={[
          {
            title: `This ${resource.singular}`,
            content: <Facts facts={fields.map(fact)} />,
          },
        ]}
      />
    </Aside>
  );
}
