import { styled } from '@mui/material/styles';
import { useGetList, useListContext } from 'react-admin';
import { count } from '../../console/ui/data/count';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { AsidePanel } from '../../console/ui/layout/AsidePanel';
import { VisuallyHidden } from '../../console/ui/VisuallyHidden';
import { TextLink } from '../../console/ui/link';
import { color, space, tabular, type } from '../../console/ui/theme';
import { Aside } from '../frame/slots';
import { adminHref } from '../paths';
import type { AdminRecord } from '../record';
import { inSentence } from '../schema/labels';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { choiceLabel } from '../schema/value';

interface Props {
  resource: ResourceDescription;
  fixed?: Record<string, unknown>;
}

const List = styled('dl')({ display: 'grid', gap: space(1), minWidth: 0 });
const Line = styled('div')({ display: 'flex', justifyContent: 'space-between', gap: space(3) });
const Term = styled('dt')({ ...type.small, color: color.muted, minWidth: 0, overflowWrap: 'anywhere' });
const Value = styled('dd')({ ...type.small, ...tabular, flex: 'none' });

/** How many there are, in all and by each choice people can filter by; every figure leads to its rows. */
export function ListAside({ resource, fixed = {} }: Props) {
  const { total, filterValues, isPending, error } = useListContext<AdminRecord>();
  const filtered = Object.keys(filterValues).length > 0;
  // The rows are asked for first; without a filter their number is this one.
  const counted = useTotal(resource, fixed, isPending || !filtered);
  const inAll = filtered ? counted : { total, error };
  // Of nothing there are no kinds.
  const parts =
    inAll.total === 0
      ? []
      : resource.filters.filter((field) => field.choices !== undefined || field.type === 'boolean');
  return (
    <Aside>
      <AsidePanel
        sections={[
          {
            title: resource.label,
            content: (
              <List>
                {filtered && (
                  <Line>
                    <Term>Matching</Term>
                    <Value>{total === undefined ? '…' : count(total)}</Value>
                  </Line>
                )}
                <Line>
                  <Term>In all</Term>
                  <Value>
                    <Figure {...inAll} />
                  </Value>
                </Line>
              </List>
            ),
          },
          ...parts.map((field) => ({
            title: `By ${inSentence(field.label)}`,
            content: (
              <List>
                {choicesOf(field).map(({ value, label }) => (
                  <Part
                    key={label}
                    label={label}
                    resource={resource}
                    filter={{ ...fixed, [field.name]: value }}
                    later={isPending}
                  />
                ))}
              </List>
            ),
          })),
        ]}
      />
    </Aside>
  );
}

interface PartProps {
  resource: ResourceDescription;
  filter: Record<string, unknown>;
}

function Part({ label, resource, filter, later }: PartProps & { label: string; later: boolean }) {
  const found = useTotal(resource, filter, later);
  return (
    <Line>
      <Term>{label}</Term>
      <Value>
        {found.total === 0 ? (
          <span style={{ color: color.muted }}>0</span>
        ) : (
          <TextLink href={adminHref.list(resource.name, filter)}>
            <Figure {...found} />
          </TextLink>
        )}
      </Value>
    </Line>
  );
}

const choicesOf = (field: FieldDescription): { value: unknown; label: string }[] =>
  field.choices
    ? field.choices.map((value) => ({ value, label: choiceLabel(value) }))
    : [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ];

/** One row is asked for, the total comes with it; `later`: not yet. */
const useTotal = (resource: ResourceDescription, filter: Record<string, unknown>, later = false) =>
  useGetList<AdminRecord>(
    resource.name,
    { pagination: { page: 1, perPage: 1 }, sort: resource.sort, filter },
    { enabled: !later },
  );

function Figure({ total, error }: { total?: number | undefined; error?: unknown }) {
  if (total !== undefined) return <>{count(total)}</>;
  if (error) return <>—</>;
  return (
    <>
      <VisuallyHidden>Counting</VisuallyHidden>
      <Bar w={32} />
    </>
  );
}

/** The number of rows a filter finds. */
export function Total({ resource, filter }: PartProps) {
  const { total, error } = useTotal(resource, filter);
  return <Figure total={total} error={error} />;
}
