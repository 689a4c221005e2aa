import { AsidePanel, Facts, type AsideFact } from '../../console/ui/layout/AsidePanel';
import { TextLink } from '../../console/ui/link';
import { Aside } from '../frame/slots';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { pointingAt } from '../schema/resources';
import { Cell } from '../schema/Cell';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { plain } from '../schema/value';
import { Total } from './ListAside';

interface Props {
  resource: ResourceDescription;
  record: AdminRecord;
  fields: readonly FieldDescription[];
}

/** Facts of the record, and which other records point at it. */
export function ShowAside({ resource, record, fields }: Props) {
  const related = pointingAt(resource.name);
  const fact = (field: FieldDescription): AsideFact =>
    field.name === 'id'
      ? { label: field.label, copy: plain(record.id) }
      : { label: field.label, value: <Cell field={field} value={record[field.name]} record={record} /> };
  return (
    <Aside>
      <AsidePanel
        sections={[
          { title: `This ${resource.singular}`, content: <Facts facts={fields.map(fact)} /> },
          ...(related.length === 0
            ? []
            : [
                {
                  title: 'Belongs to it',
                  content: (
                    <Facts
                      facts={related.map(({ resource: other, field }) => ({
                        label: other.label,
                        value: (
                          <TextLink href={adminHref.child(resource.name, record.id, other.name)}>
                            <Total resource={other} filter={{ [field.name]: record.id }} />
                          </TextLink>
                        ),
                      }))}
                    />
                  ),
                },
              ]),
        ]}
      />
    </Aside>
  );
}
