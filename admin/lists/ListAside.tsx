import styled from '@emotion/styled';
import { useGetList, useListContext } from 'react-admin';
import { count } from '../../console/lib/texts/count';
import { Bar } from '../../console/ui/feedback/Skeletons';
import { AsidePanel } from '../../console/ui/layout/AsidePanel';
import { VisuallyHidden } from '../../console/ui/VisuallyHidden';
import { TextLink } from '../../console/ui/link';
import { color, space, tabular, type } from '../../console/ui/theme';
import { Aside } from '../frame/slots';
import { adminHref } from '../paths';
import { listMeta, type AdminRecord } from '../record';
import { inSentence } from '../schema/labels';
import { desiredLabel } from '../schema/observed';
import type { FieldDescription, ResourceDescription } from '../schema/types';
import { choiceLabel } from '../schema/value';

interface Props {
  resource: ResourceDescription;
  fixed?: Record<string, unknown>;
  /** Refetches the totals this often, milliseconds. */
  watchMs?: number;
}

const List = styled('dl')({ display: 'grid', gap: space(1), minWidth: 0 });
const Line = styled('div')({
  display: 'flex',
  justifyContent: 'space-between',
  gap: space(3),
});
const Term = styled('dt')({
  ...type.small,
  color: color.muted,
  minWidth: 0,
  overflowWrap: 'anywhere',
});
const Value = styled('dd')({ ...type.small, ...tabular, flex: 'none' });

/** Totals, overall and by each filter choice, linking to the filtered list. */
export function ListAside({ resource, fixed = {}, watchMs }: Props) {
  const { total, filterValues, isPending, error } = useListContext<AdminRecord>();
  const filtered = Object.keys(filterValues).length > 0;
  // Rows load first; an unfiltered list's total is the overall total.
  const options = { deferred: isPending, ...(watchMs === undefined ? {} : { watchMs }) };
  const counted = useTotal(resource, fixed, { ...options, deferred: isPending || !filtered });
  const overall = filtered ? counted : { total, error };
  // An empty list has no breakdown.
  const parts =
    overall.total === 0
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
                  <Term>Total</Term>
                  <Value>
                    <Figure {...overall} />
                  </Value>
                </Line>
              </List>
            ),
          },
          ...parts.map((field) => ({
            title: `By ${inSentence(desiredLabel(field))}`,
            content: (
              <List>
                {choicesOf(field).map(({ value, label }) => (
                  <Part
                    key={label}
                    label={label}
                    resource={resource}
                    filter={{ ...fixed, [field.name]: value }}
                    {...options}
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

function Part({ label, resource, filter, ...options }: PartProps & TotalOptions & { label: string }) {
  const found = useTotal(resource, filter, options);
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
    ? field.choices.map((value) => ({ value, label: choiceLabel(value, field.words) }))
    : [
        { value: true, label: 'Yes' },
        { value: false, label: 'No' },
      ];

interface TotalOptions {
  /** Postpones the request. */
  deferred?: boolean;
  watchMs?: number;
}

/** Requests one row to get the total. */
const useTotal = (
  resource: ResourceDescription,
  filter: Record<string, unknown>,
  { deferred = false, watchMs }: TotalOptions = {},
) =>
  useGetList<AdminRecord>(
    resource.name,
    { pagination: { page: 1, perPage: 1 }, sort: resource.sort, filter, ...listMeta(resource) },
    { enabled: !deferred, ...(watchMs === undefined ? {} : { refetchInterval: watchMs }) },
  );

function Figure({ total, error }: { total?: number | undefined; error?: unknown }) {
  if (total !== undefined) return <>{count(total)}</>;
  if (error) return <>—</>;
  return (
    <>
      <VisuallyHidden>Counting</VisuallyHidden>
      <Bar w={20} />
    </>
  );
}

/** Shows the number of rows that match a filter. */
export function Total({ resource, filter }: PartProps) {
  const { total, error } = useTotal(resource, filter);
  return <Figure total={total} error={error} />;
}
