import styled from '@emotion/styled';
import type { ComponentType } from 'react';
import { formatGb, formatMb } from '../../console/lib/cvms/sizes';
import { BulletList } from '../../console/ui/BulletList';
import { CodeBlock } from '../../console/ui/code/CodeBlock';
import { count } from '../../console/lib/texts/count';
import { ownLinks } from '../../console/lib/texts/ownLinks';
import { CopyId } from '../../console/ui/data/CopyId';
import { CapacityBar } from '../../console/ui/data/Meter';
import { RelativeTime } from '../../console/ui/data/RelativeTime';
import { minuteTime } from '../../console/ui/data/time';
import { StatusChip } from '../../console/ui/feedback/StatusChip';
import { color, space, type } from '../../console/ui/theme';
import { limitOf, overriddenText } from './limit';
import { Cell, Nothing, type ValueProps } from './Cell';
import { TextLink } from '../../console/ui/link';
import { mayWith, useSession } from '../session';
import { namedItemHref } from './namedRecord';
import { isDropped, NO_LONGER_PLANNED } from './times/planned';
import type { FieldType } from './types';
import { usageOf, usageText } from './usage';
import { plain, wordOf } from './value';
import { ownValue } from '../../console/lib/ownValue';

const Prose = styled('p')({
  ...type.body,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  maxWidth: '72ch',
});
/** From this many short items on, they are shown in columns. */
const MANY = 8;
const SHORT = 80;
const Exact = styled('span')({
  ...type.caption,
  display: 'block',
  color: color.muted,
});

/** On phones, each row becomes a block of labels and values, which avoids horizontal scrolling. */
const RowTable = styled('table')({
  ...type.small,
  width: '100%',
  borderCollapse: 'collapse',
  '& th': {
    ...type.caption,
    textAlign: 'left',
    fontWeight: 550,
    color: color.muted,
  },
  '& th, & td': {
    padding: `${space(1.5)} ${space(3)} ${space(1.5)} 0`,
    verticalAlign: 'top',
    borderBottom: `1px solid ${color.line}`,
    overflowWrap: 'anywhere',
  },
  '@media (max-width: 640px)': {
    '& thead': { display: 'none' },
    '& tr': {
      display: 'block',
      padding: `${space(2)} 0`,
      borderBottom: `1px solid ${color.line}`,
    },
    '& td': {
      display: 'flex',
      gap: space(3),
      padding: `${space(0.5)} 0`,
      border: 0,
    },
    '& td::before': {
      content: 'attr(data-label)',
      flex: '0 0 96px',
      color: color.muted,
    },
  },
});

function List({ field, value }: ValueProps) {
  const items = Array.isArray(value) ? value.map(plain) : [];
  if (items.length === 0) return <Nothing />;
  return (
    <BulletList
      data-columns={(items.length > MANY && items.every(({ length }) => length <= SHORT)) || undefined}
    >
      {items.map((item) => (
        <li key={item} style={field.mono ? type.mono : undefined}>
          {field.itemsOf === undefined ? item : <NamedItem field={field} name={item} />}
        </li>
      ))}
    </BulletList>
  );
}

function NamedItem({ field, name }: Pick<ValueProps, 'field'> & { name: string }) {
  const { platform_permissions } = useSession();
  const href = namedItemHref(field, name, (permission) => mayWith(platform_permissions, permission));
  return href === undefined ? <>{name}</> : <TextLink href={href}>{name}</TextLink>;
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
                <Cell field={column} value={ownValue(row, column.name)} record={{ id: index, ...row }} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </RowTable>
  );
};

/** Shows both figures in the unit that suits the limit, and which limit applies. */
function Usage({ field, value, record }: ValueProps) {
  const [used, limit] = [Number(value), limitOf(field, record)];
  const figures = usageText(usageOf(field, used, limit));
  const overridden = overriddenText(field, record);
  return (
    <>
      <CapacityBar label={field.label} used={used} total={limit} unit="" figures={figures} />
      {overridden !== undefined && <Exact>{overridden}</Exact>}
    </>
  );
}

const Fold = styled('details')({
  '& > summary': {
    ...type.small,
    width: 'fit-content',
    padding: `${space(1)} 0`,
    color: color.muted,
    cursor: 'pointer',
  },
  '&[open] > summary': { marginBottom: space(1) },
});
/** Structures with this many lines start collapsed. */
const FOLDED_FROM = 16;

/** Shows text, such as an email, with links to this server; structures are formatted, and collapsed if long. */
function Code({ field, value }: ValueProps) {
  const { environment } = useSession();
  const formatted = typeof value === 'string' ? pretty(value) : JSON.stringify(value, null, 2);
  if (formatted === undefined)
    return (
      <CodeBlock code={plain(value)} label={field.label} maxHeight={480} wrap>
        {ownLinks(plain(value), environment.public_url).map(({ text, href }, i) =>
          href === undefined ? (
            text
          ) : (
            <TextLink key={i} href={href}>
              {text}
            </TextLink>
          ),
        )}
      </CodeBlock>
    );
  const block = <CodeBlock code={formatted} label={field.label} maxHeight={480} />;
  const lines = formatted.split('\n').length;
  return (
    <Fold open={lines < FOLDED_FROM}>
      <summary>JSON, {lines === 1 ? '1 line' : `${count(lines)} lines`}</summary>
      {block}
    </Fold>
  );
}

/** Formats lines of JSON, such as error reports; undefined for other text. */
function pretty(text: string): string | undefined {
  try {
    return text
      .split('\n')
      .map((line) => (line.trim() === '' ? line : JSON.stringify(JSON.parse(line), null, 2)))
      .join('\n');
  } catch {
    return undefined;
  }
}

/** Components by type for a record's page; other types use `Cell`. */
const facts: Partial<Readonly<Record<FieldType, ComponentType<ValueProps>>>> = {
  long_text: ({ value }) => <Prose>{plain(value)}</Prose>,
  mono: (props) =>
    props.field.record === undefined ? (
      <CopyId id={plain(props.value)} what={props.field.label} most={40} />
    ) : (
      <Cell {...props} />
    ),
  megabytes: ({ value }) => <span title={`${String(value)} MB`}>{formatMb(Number(value))}</span>,
  gigabytes: ({ value }) => <span title={`${String(value)} GB`}>{formatGb(Number(value))}</span>,
  status: ({ field, value }) => {
    const word = wordOf(field, String(value));
    return <StatusChip status={String(value)} {...(word === undefined ? {} : { word })} />;
  },
  // Planning requires the exact time in addition to "in 2 d".
  time: ({ field, value, record }) => {
    const exact = minuteTime(String(value));
    const relative = isDropped(field, record) ? NO_LONGER_PLANNED : <RelativeTime at={String(value)} />;
    return (
      <>
        {field.exact ? exact : relative}
        <Exact>{field.exact ? relative : exact}</Exact>
      </>
    );
  },
  usage: Usage,
  list: List,
  slugs: List,
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
