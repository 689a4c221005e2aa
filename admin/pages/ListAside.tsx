import { useGetList, useListContext } from 'react-admin';
import { count } from '../../console/ui/data/count';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { AsidePanel, Facts } from '../../console/ui/layout/AsidePanel';
import { VisuallyHidden } from '../../console/ui/VisuallyHidden';
import { TextLink } from '../../console/ui/link';
import { Aside } from '../frame/slots';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { choiceLabel } from '../schema/value';

interface Props {
  resource: ResourceDescription;
  fixed?: Record<string, unknown>;
}

/** How many there are, in all and by each choice people can filter by; every figure leads to its rows. */
export function ListAside({ resource, fixed = {} }: Props) {
  const { total, filterValues } = useListContext<AdminRecord>();
  const filtered = Object.keys(filterValues).length > 0;
  const parts = resource.filters.filter((field) => field.choices !== undefined || field.type === 'boolean');
  return (
    <Aside>
      <AsidePanel
        sections={[
          {
            title: resource.label,
            content: (
              <Facts
                facts={[
                  ...(filtered
                    ? [{ label: 'Matching', value: total === undefined ? '…' : count(total) }]
                    : []),
                  { label: 'In all', value: <Total resource={resource} filter={fixed} /> },
                ]}
              />
            ),
          },
          ...parts.map((field) => ({
            title: `By ${field.label.charAt(0).toLowerCase()}${field.label.slice(1)}`,
            content: (
              <Facts
                facts={choicesOf(field).map(({ value, label }) => ({
                  label,
                  value: (
                    <TextLink href={adminHref.list(resource.name, { ...fixed, [field.name]: value })}>
                      <Total resource={resource} filter={{ ...fixed, [field.name]: value }} />
                    </TextLink>
                  ),
                }))}
              />
            ),
          })),
        ]}
      />
    </Aside>
  );
}

const choicesOf = (field: FieldDescription): { value: unknown; label: string }[] =>
  field.choices
    ? field.choices.map((value) => ({ value, label: choiceLabel(value) }))
    : [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ];

/** The number of rows a filter finds: one row is asked for, the total comes with it. */
export function Total({
  resource,
  filter,
}: {
  resource: ResourceDescription;
  filter: Record<string, unknown>;
}) {
  const { total, error } = useGetList<AdminRecord>(resource.name, {
    pagination: { page: 1, perPage: 1 },
    sort: resource.sort,
    filter,
  });
  if (total !== undefined) return <>{count(total)}</>;
  if (error) return <>—</>;
  return (
    <>
      <VisuallyHidden>Counting</VisuallyHidden>
      <Bar w={32} />
    </>
  );
}
