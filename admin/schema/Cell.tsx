import styled from '@emotion/styled';
import type { ComponentType, ReactElement, ReactNode } from 'react';
import { plainAnnouncement } from '../../console/lib/announcementText';
import { formatGb, formatMb } from '../../console/lib/cvms/sizes';
import { CopyId } from '../../console/ui/data/CopyId';
import { Cost } from '../../console/ui/data/Cost';
import { count } from '../../console/lib/texts/count';
import { monthText } from '../../console/lib/texts/months';
import { MiniBar } from '../../console/ui/data/Meter';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { minuteTime } from '../../console/ui/data/time';
import { shortId } from '../../console/ui/data/truncate';
import { ToneChip } from '../../console/ui/feedback/ToneChip';
import { color, type } from '../../console/ui/theme';
import type { AdminRecord } from '../record';
import { TextLink } from '../../console/ui/link';
import { mayWith, useSession } from '../session';
import { namedRecordHref } from './namedRecord';
import { ReferenceLink } from './ReferenceLink';
import { isAbsent, limitOf } from './limit';
import { isDropped, NO_LONGER_PLANNED } from './times/planned';
import { States } from './States';
import type { FieldDescription, FieldType } from './types';
import { usageOf } from './usage';
import { choiceLabel, plain, wordOf } from './value';
import { showText } from '../../console/lib/texts/allTexts';
import type { TextKey } from '../../generated/api/types.gen';
import { ownValue } from '../../console/lib/ownValue';

export interface ValueProps {
  field: FieldDescription;
  value: unknown;
  record: AdminRecord;
  /** Whether it is inside a link, so it can't be one. */
  plain?: boolean;
}

const Mono = styled('span')({ ...type.mono });
const Quiet = styled('span')({ color: color.faint });

export const Nothing = () => <Quiet data-nothing>—</Quiet>;

function Text(props: ValueProps) {
  const { field, value, record } = props;
  const keys = ownValue(record, field.keys ?? '');
  // The value that a filter accepts.
  const title = field.spoken ? plain(value) : undefined;
  const text = Array.isArray(keys)
    ? showText(keys as TextKey[], plain(value))
    : (wordOf(field, plain(value)) ?? plain(value));
  const shown = <span title={title ?? text}>{text}</span>;
  return (
    <NamedRecord {...props} otherwise={shown}>
      {text}
    </NamedRecord>
  );
}

interface NamedProps extends ValueProps {
  /** Shown if there is no record, or none the user may see. */
  otherwise: ReactElement;
  children: ReactNode;
}

const NamedRecord = ({ otherwise, ...props }: NamedProps) =>
  props.field.record === undefined || props.plain ? otherwise : <Named {...props} otherwise={otherwise} />;

function Named({ field, record, otherwise, children }: NamedProps) {
  const { platform_permissions } = useSession();
  const href = namedRecordHref(field, record, (permission) => mayWith(platform_permissions, permission));
  return href === undefined ? otherwise : <TextLink href={href}>{children}</TextLink>;
}
/** IDs and hashes of this length are shortened and can be copied. */
const LONG_ID = 24;

function Fixed(props: ValueProps) {
  const { field, value, plain: unlinked } = props;
  const text = plain(value);
  const isWhole = text.length < LONG_ID || unlinked;
  return (
    <NamedRecord
      {...props}
      otherwise={isWhole ? <Mono title={text}>{text}</Mono> : <CopyId id={text} what={field.label} />}
    >
      <Mono title={text}>{isWhole ? text : shortId(text)}</Mono>
    </NamedRecord>
  );
}
const Figure = ({ field, value }: ValueProps) => (
  <>
    {count(Number(value))}
    {field.suffix !== undefined && ` ${field.suffix}`}
  </>
);
const Choice = ({ field, value }: ValueProps) => <>{choiceLabel(String(value), field.words)}</>;

/** Neutral for both values, because which one is good depends on the field. */
const YesNo = ({ value }: ValueProps) => (
  <ToneChip quiet tone="neutral" glyph={value === true ? 'check' : 'archived'}>
    {value === true ? 'Yes' : 'No'}
  </ToneChip>
);

const Gauge = styled('span')({
  display: 'inline-grid',
  gap: 2,
  width: '100%',
  lineHeight: '16px',
  verticalAlign: 'middle',
  '@container (max-width: 560px)': { display: 'inline', '& > div': { display: 'none' } },
});

function Usage({ field, value, record }: ValueProps) {
  const limit = limitOf(field, record);
  const shown = usageOf(field, Number(value), limit);
  if (isAbsent(field, record)) return <Nothing />;
  return (
    <Gauge>
      <span>
        {count(shown.used)}
        {shown.usedUnit !== undefined && ` ${shown.usedUnit}`}{' '}
        <Quiet>
          of {count(shown.limit)} {shown.unit}
        </Quiet>
      </span>
      <MiniBar used={Number(value)} total={limit} />
    </Gauge>
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

function Time({ field, value, record }: ValueProps) {
  const at = String(value);
  if (isDropped(field, record)) return <Quiet title={minuteTime(at)}>{NO_LONGER_PLANNED}</Quiet>;
  return field.exact ? <>{minuteTime(at)}</> : <RelativeTime at={at} />;
}

/** Single-line components by type, for tables. */
const cells: Readonly<Record<FieldType, ComponentType<ValueProps>>> = {
  text: Text,
  long_text: Text,
  formatted: ({ value, ...props }) => <Text {...props} value={plainAnnouncement(String(value))} />,
  mono: Fixed,
  code: Fixed,
  secret: Nothing,
  integer: Figure,
  number: Figure,
  usage: Usage,
  megabytes: ({ value }) => <>{formatMb(Number(value))}</>,
  gigabytes: ({ value }) => <>{formatGb(Number(value))}</>,
  money: ({ value }) => <Cost usd={String(value)} />,
  month: ({ value }) => <>{monthText(String(value))}</>,
  boolean: YesNo,
  choice: Choice,
  status: ({ field, record }) => <States quiet field={field} record={record} />,
  time: Time,
  reference: ({ field, value, plain: unlinked }) => (
    <ReferenceLink reference={field.reference ?? ''} id={value} {...(unlinked ? { plain: true } : {})} />
  ),
  list: List,
  slugs: List,
  rows: ({ value }) => <>{count(Array.isArray(value) ? value.length : 0)}</>,
  drain_plan: ({ value }) => <>{count(Array.isArray(value) ? value.length : 0)}</>,
  json: Fixed,
};

/** Fixed widths in pixels for types of similar length; other columns share the rest. */
const cellWidths: Partial<Readonly<Record<FieldType, number>>> = {
  integer: 96,
  number: 96,
  usage: 116,
  megabytes: 112,
  gigabytes: 112,
  money: 112,
  month: 136,
  boolean: 104,
  choice: 124,
  status: 140,
  time: 128,
};

/** A status with short words ("Info", "Warning") needs less space than "Maintenance". */
const SHORT_STATUS = { longest: 8, width: 112 };

/** "Not responding" with its icon. */
const OBSERVED_WIDTH = 152;

/** "Nov 21, 2026, 09:30". */
const EXACT_WIDTH = 168;

/** Returns the width of a field's column in pixels, undefined if it shares the rest. */
export function widthOf({ type, choices = [], observed, exact }: FieldDescription): number | undefined {
  if (observed !== undefined) return OBSERVED_WIDTH;
  if (exact) return EXACT_WIDTH;
  const isShort = choices.length > 0 && choices.every(({ length }) => length <= SHORT_STATUS.longest);
  return type === 'status' && isShort ? SHORT_STATUS.width : cellWidths[type];
}

export const rightAligned: ReadonlySet<FieldType> = new Set([
  'integer',
  'number',
  'usage',
  'megabytes',
  'gigabytes',
  'money',
]);

/** Types whose values need their label for context. */
export const labelled: ReadonlySet<FieldType> = new Set([...rightAligned, 'boolean', 'time']);

export function Cell(props: ValueProps) {
  if (props.value === null || props.value === undefined || props.value === '') return <Nothing />;
  const Component = cells[props.field.type];
  return <Component {...props} />;
}
