import styled from '@emotion/styled';
import { useMemo, useRef, useState } from 'react';
import {
  compareLines,
  countChanges,
  foldUnchanged,
  sideBySide,
  type DiffPair,
  type DiffRow,
} from '../../lib/textDiff';
import { color, focusRing, radius, space, type } from '../theme';
import { useWidth } from '../useWidth';
import { VisuallyHidden } from '../VisuallyHidden';
import { counted } from '../../lib/texts/count';

const Frame = styled('div')({
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'auto',
  maxHeight: 560,
  backgroundColor: color.sunken,
  '&:focus-visible': focusRing,
});
const Table = styled('table')({
  ...type.mono,
  borderCollapse: 'collapse',
  width: '100%',
  tableLayout: 'fixed',
  '& td, & th': { padding: `0 ${space(2)}`, verticalAlign: 'top', textAlign: 'left' },
  '& th': {
    ...type.caption,
    position: 'sticky',
    top: 0,
    padding: `${space(1.5)} ${space(2)}`,
    backgroundColor: color.surface,
    color: color.muted,
    fontWeight: 550,
    borderBottom: `1px solid ${color.line}`,
  },
});
const Number = styled('td')({
  paddingInline: `${space(1)} !important`,
  color: color.faint,
  textAlign: 'right !important' as 'right',
  userSelect: 'none',
  fontVariantNumeric: 'tabular-nums',
});
const Text = styled('td')({
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  '&[data-kind="removed"]': { backgroundColor: color.errorSoft, color: color.errorText },
  '&[data-kind="added"]': { backgroundColor: color.okSoft, color: color.okText },
  '&[data-kind="none"]': { backgroundColor: color.neutralSoft },
});
const Fold = styled('button')({
  ...type.caption,
  width: '100%',
  padding: `${space(1)} ${space(2)}`,
  border: 0,
  borderBlock: `1px dashed ${color.line}`,
  background: color.surface,
  color: color.muted,
  cursor: 'pointer',
  '&:hover': { color: color.text },
  '&:focus-visible': focusRing,
});
const Empty = styled('p')({ ...type.body, color: color.muted });

interface Props {
  /** Label of the texts for screen readers: "docker-compose.yml". */
  label: string;
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

/** Fits line numbers up to 9999. */
const NUMBER_WIDTH = 44;
/** Below this width in px, a side would show fewer than about 45 characters per line. */
const SIDE_BY_SIDE_WIDTH = 820;

/** Two texts side by side, or in one column if space is limited; unchanged lines are folded. */
export function DiffView({ label, before, after, beforeLabel, afterLabel }: Props) {
  const rows = useMemo(() => compareLines(before, after), [before, after]);
  const { added, removed } = countChanges(rows);
  if (added + removed === 0) return <Empty>No differences.</Empty>;
  const caption = `${label}: ${counted(removed, ['line', 'lines'])} removed, ${added} added`;
  return <Differences {...{ rows, caption, beforeLabel, afterLabel }} />;
}

function Differences(table: TableProps) {
  // Measured outside the frame, whose scroll bar depends on the layout.
  const around = useRef<HTMLDivElement>(null);
  const width = useWidth(around);
  return (
    <div ref={around}>
      <Frame tabIndex={0} role="region" aria-label={table.caption}>
        {width >= SIDE_BY_SIDE_WIDTH ? <SideBySide {...table} /> : <Unified {...table} />}
      </Frame>
    </div>
  );
}

interface TableProps {
  rows: readonly DiffRow[];
  caption: string;
  beforeLabel: string;
  afterLabel: string;
}

function SideBySide({ rows, caption, beforeLabel, afterLabel }: TableProps) {
  const parts = useMemo(
    () => foldUnchanged(sideBySide(rows), ({ before, after }: DiffPair) => before !== after),
    [rows],
  );
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  return (
    <Table>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Columns sides={2} />
      <thead>
        <tr>
          <th colSpan={2}>{beforeLabel}</th>
          <th colSpan={2}>{afterLabel}</th>
        </tr>
      </thead>
      {parts.map((part, at) => (
        <tbody key={at}>
          {part.kind === 'folded' && !open.has(at) ? (
            <FoldRow columns={4} lines={part.items.length} onOpen={() => setOpen(new Set([...open, at]))} />
          ) : (
            part.items.map((pair, index) => (
              <tr key={index}>
                <Cells row={pair.before} number={pair.before?.before} />
                <Cells row={pair.after} number={pair.after?.after} />
              </tr>
            ))
          )}
        </tbody>
      ))}
    </Table>
  );
}

function Unified({ rows, caption, beforeLabel, afterLabel }: TableProps) {
  const parts = useMemo(() => foldUnchanged(rows, ({ kind }) => kind !== 'same'), [rows]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  return (
    <Table>
      <caption>
        <VisuallyHidden>{caption}</VisuallyHidden>
      </caption>
      <Columns sides={1} />
      <thead>
        <tr>
          <th colSpan={2}>
            − {beforeLabel}, + {afterLabel}
          </th>
        </tr>
      </thead>
      {parts.map((part, at) => (
        <tbody key={at}>
          {part.kind === 'folded' && !open.has(at) ? (
            <FoldRow columns={2} lines={part.items.length} onOpen={() => setOpen(new Set([...open, at]))} />
          ) : (
            part.items.map((row, index) => (
              <tr key={index}>
                <Cells row={row} number={'after' in row ? row.after : row.before} />
              </tr>
            ))
          )}
        </tbody>
      ))}
    </Table>
  );
}

/** The fixed table layout takes its column widths from here, because header cells span two columns. */
function Columns({ sides }: { sides: 1 | 2 }) {
  return Array.from({ length: sides }, (_, side) => (
    <colgroup key={side}>
      <col style={{ width: NUMBER_WIDTH }} />
      <col />
    </colgroup>
  ));
}

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' } as const;

/** Never distinguished by color alone: a sign for sighted users, a word for screen readers. */
function Cells({ row, number }: { row: DiffRow | null; number: number | undefined }) {
  if (!row)
    return (
      <>
        <Number />
        <Text data-kind="none" />
      </>
    );
  return (
    <>
      <Number>{number}</Number>
      <Text data-kind={row.kind}>
        <span aria-hidden>{SIGNS[row.kind]} </span>
        {row.kind !== 'same' && <VisuallyHidden>{WORDS[row.kind]}</VisuallyHidden>}
        {row.text}
      </Text>
    </>
  );
}

function FoldRow({ columns, lines, onOpen }: { columns: number; lines: number; onOpen: () => void }) {
  return (
    <tr>
      <td colSpan={columns} style={{ padding: 0 }}>
        <Fold type="button" onClick={onOpen}>
          Show {lines} unchanged lines
        </Fold>
      </td>
    </tr>
  );
}
