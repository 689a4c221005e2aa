import { styled } from '@mui/material/styles';
import type { ComponentType } from 'react';
import { formatGb, formatMb } from '../../console/lib/sizes';
import { CodeBlock } from '../../console/ui/code/CodeBlock';
import { CopyId } from '../../console/ui/data/CopyId';
import { CapacityBar } from '../../console/ui/data/Meter';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { minuteTime } from '../../console/ui/data/time';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { color, space, type } from '../../console/ui/theme';
import { Cell, Nothing, type ValueProps } from './Cell';
import type { FieldType } from './types';
import { plain } from './value';

const Prose = styled('p')({
  ...type.body,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  maxWidth: '72ch',
});
const Items = styled('ul')({
  ...type.body,
  display: 'grid',
  gap: space(1),
  paddingLeft: space(4),
  listStyle: 'disc',
  overflowWrap: 'anywhere',
  '& > li::marker': { color: color.control },
  '&[data-many]': { display: 'block', columns: '224px auto', '& > li': { marginBottom: space(1) } },
});
/** Short ones stand side by side when there are many. */
const MANY = 8;
const SHORT = 80;
const Exact = styled('span')({ ...type.caption, display: 'block', color: color.muted });

/** On a phone each row is a block of its own, its values under their names: nothing scrolls sideways. */
const RowTable = styled('table')({
  ...type.small,
  width: '100%',
  borderCollapse: 'collapse',
  '& th': { ...type.caption, textAlign: 'left', fontWeight: 550, color: color.muted },
  '& th, & td': {
    padding: `${space(1.5)} ${space(3)} ${space(1.5)} 0`,
    verticalAlign: 'top',
    borderBottom: `1px solid ${color.line}`,
    overflowWrap: 'anywhere',
  },
  '@media (max-width: 640px)': {
    '& thead': { display: 'none' },
    '& tr': { display: 'block', padding: `${space(2)} 0`, borderBottom: `1px solid ${color.line}` },
    '& td': { display: 'flex', gap: space(3), padding: `${space(0.5)} 0`, border: 0 },
    '& td::before': { content: 'attr(data-label)', flex: '0 0 96px', color: color.muted },
  },
});

function List({ field, value }: ValueProps) {
  const items = Array.isArray(value) ? value.map(plain) : [];
  if (items.length === 0) return <Nothing />;
  return (
    <Items data-many={(items.length > MANY && items.every(({ length }) => length <= SHORT)) || undefined}>
      {items.map((item) => (
        <li key={item} style={field.mono ? type.mono : undefined}>
          {item}
        </li>
      ))}
    </Items>
  );
}

const Rows = ({ field, value }: ValueProps) => {
  const rows = Array.isArray(value) ? (value as Record<string, unknown>[]) : [];
  const columns = field.columns ?? [];
  if (rows.length === 0) return <Nothing />;
  return (
    <RowTable>
      <thead>
        <tr>
          {columns.map(({ name, label }) => (
            <th key={name} scope="col">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column.name} data-label={column.label}>
                <Cell field={column} value={row[column.name]} record={{ id: index, ...row }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </RowTable>
  );
};

/** Memory and disk in the unit that suits the limit, so that the two figures of the bar can be compared. */
function Usage({ field, value, record }: ValueProps) {
  const limit = Number(record[field.limit ?? ''] ?? 0);
  const step = field.unit === undefined ? 1 : 1024;
  const large = field.unit !== undefined && limit >= step;
  const unit =
    field.unit === 'megabytes'
      ? large
        ? 'GB'
        : 'MB'
      : field.unit === 'gigabytes'
        ? large
          ? 'TB'
          : 'GB'
        : '';
  const scaled = (n: number) => (large ? Math.round((n / step) * 10) / 10 : n);
  return <CapacityBar label={field.label} used={scaled(Number(value))} total={scaled(limit)} unit={unit} />;
}

const Code = ({ field, value }: ValueProps) => (
  <CodeBlock
    code={typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2)}
    label={field.label}
    maxHeight={480}
  />
);

/** Kept error reports are lines of JSON; anything else stays as it is. */
function pretty(text: string): string {
  try {
    return text
      .split('\n')
      .map((line) => (line.trim() === '' ? line : JSON.stringify(JSON.parse(line), null, 2)))
      .join('\n');
  } catch {
    return text;
  }
}

/** What a value looks like on its record's own page, where it has room; the rest as in a line. */
const facts: Partial<Readonly<Record<FieldType, ComponentType<ValueProps>>>> = {
  long_text: ({ value }) => <Prose>{plain(value)}</Prose>,
  mono: ({ field, value }) => <CopyId id={plain(value)} what={field.label} most={40} />,
  megabytes: ({ value }) => <span title={`${String(value)} MB`}>{formatMb(Number(value))}</span>,
  gigabytes: ({ value }) => <span title={`${String(value)} GB`}>{formatGb(Number(value))}</span>,
  status: ({ value }) => <StatusChip status={String(value)} />,
  // When a window begins is a date to plan with, not "in 2 d".
  time: ({ value }) => (
    <>
      <RelativeTime at={String(value)} />
      <Exact>{minuteTime(String(value))}</Exact>
    </>
  ),
  usage: Usage,
  list: List,
  rows: Rows,
  code: Code,
  json: Code,
};

export function Fact(props: ValueProps) {
  const empty = props.value === null || props.value === undefined || props.value === '';
  const Component = facts[props.field.type];
  if (empty || !Component) return <Cell {...props} />;
  return <Component {...props} />;
}
