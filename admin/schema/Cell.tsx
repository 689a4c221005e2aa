import { styled } from '@mui/material/styles';
import type { ComponentType } from 'react';
import { formatGb, formatMb } from '../../console/lib/sizes';
import { Cost } from '../../console/ui/data/Cost';
import { count } from '../../console/ui/data/count';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { ToneChip, StatusChip } from '../../console/ui/feedback/StatusChip';
import { color, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import { ReferenceLink } from './ReferenceLink';
import type { FieldDescription, FieldType } from './types';
import { choiceLabel, plain } from './value';

export interface ValueProps {
  field: FieldDescription;
  value: unknown;
  record: AdminRecord;
  /** Stands inside a link, and can be none. */
  plain?: boolean;
}

const Mono = styled('span')({ ...type.mono });
const Quiet = styled('span')({ color: color.faint });

export const Nothing = () => <Quiet data-nothing>—</Quiet>;

const Text = ({ value }: ValueProps) => <span title={plain(value)}>{plain(value)}</span>;
const Fixed = ({ value }: ValueProps) => <Mono title={plain(value)}>{plain(value)}</Mono>;
const Figure = ({ field, value }: ValueProps) => (
  <>
    {count(Number(value))}
    {field.suffix !== undefined && ` ${field.suffix}`}
  </>
);
const Choice = ({ value }: ValueProps) => <>{choiceLabel(String(value))}</>;

/** A "no" is as much a fact as a "yes": only the shape differs, whether it is good is for the reader. */
const YesNo = ({ value }: ValueProps) => (
  <ToneChip quiet tone="neutral" glyph={value === true ? 'check' : 'archived'}>
    {value === true ? 'Yes' : 'No'}
  </ToneChip>
);

function Usage({ field, value, record }: ValueProps) {
  const show = field.unit === 'megabytes' ? formatMb : field.unit === 'gigabytes' ? formatGb : count;
  const limit = Number(record[field.limit ?? ''] ?? 0);
  return (
    <>
      {show(Number(value))} <Quiet>of {show(limit)}</Quiet>
    </>
  );
}

function List({ value }: ValueProps) {
  const items = Array.isArray(value) ? value : [];
  if (items.length === 0) return <Nothing />;
  return (
    <span title={items.join('\n')}>
      {plain(items[0])}
      {items.length > 1 && <Quiet> +{items.length - 1}</Quiet>}
    </span>
  );
}

/** What a value looks like in a line: in tables, and wherever else there is one line for it. */
const cells: Readonly<Record<FieldType, ComponentType<ValueProps>>> = {
  text: Text,
  long_text: Text,
  mono: Fixed,
  code: Fixed,
  secret: Nothing,
  integer: Figure,
  number: Figure,
  usage: Usage,
  megabytes: ({ value }) => <>{formatMb(Number(value))}</>,
  gigabytes: ({ value }) => <>{formatGb(Number(value))}</>,
  money: ({ value }) => <Cost usd={String(value)} />,
  boolean: YesNo,
  choice: Choice,
  status: ({ value }) => <StatusChip quiet status={String(value)} />,
  time: ({ value }) => <RelativeTime at={String(value)} />,
  reference: ({ field, value, plain: unlinked }) => (
    <ReferenceLink reference={field.reference ?? ''} id={value} {...(unlinked ? { plain: true } : {})} />
  ),
  list: List,
  rows: ({ value }) => <>{count(Array.isArray(value) ? value.length : 0)}</>,
  json: Fixed,
};

/** Pixels for kinds whose values are all about as long; the others share what is left. */
export const cellWidths: Partial<Readonly<Record<FieldType, number>>> = {
  integer: 96,
  number: 96,
  usage: 128,
  megabytes: 112,
  gigabytes: 112,
  money: 112,
  boolean: 104,
  choice: 124,
  status: 140,
  time: 128,
};

export const rightAligned: ReadonlySet<FieldType> = new Set([
  'integer',
  'number',
  'usage',
  'megabytes',
  'gigabytes',
  'money',
]);

/** Kinds whose values need their heading to mean anything. */
export const labelled: ReadonlySet<FieldType> = new Set([...rightAligned, 'boolean', 'time']);

export function Cell(props: ValueProps) {
  if (props.value === null || props.value === undefined || props.value === '') return <Nothing />;
  const Component = cells[props.field.type];
  return <Component {...props} />;
}
