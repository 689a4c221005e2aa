import { styled } from '@mui/material/styles';
import { useMemo, useState } from 'react';
import {
  compareLines,
  countChanges,
  foldUnchanged,
  sideBySide,
  type DiffPair,
  type DiffRow,
} from '../../lib/textDiff';
import { useMedia } from '../media';
import { color, focusRing, radius, space, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';

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
  width: 44,
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
  /** What the texts are, for screen readers: "docker-compose.yml". */
  label: string;
  before: string;
  after: string;
  beforeLabel: string;
  afterLabel: string;
}

/** Two texts beside each other, or one under the other where there is no room; unchanged stretches are folded. */
export function DiffView({ label, before, after, beforeLabel, afterLabel }: Props) {
  const wide = useMedia('(min-width: 900px)');
  const rows = useMemo(() => compareLines(before, after), [before, after]);
  const { added, removed } = countChanges(rows);
  if (added + removed === 0) return <Empty>No difference.</Empty>;
  const caption = `${label}: ${removed} ${removed === 1 ? 'line' : 'lines'} taken away, ${added} added`;
  return (
    <Frame tabIndex={0} role="region" aria-label={caption}>
      {wide ? (
        <SideBySide {...{ rows, caption, beforeLabel, afterLabel }} />
      ) : (
        <Unified {...{ rows, caption, beforeLabel, afterLabel }} />
      )}
    </Frame>
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

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const WORDS = { same: '', removed: 'taken away: ', added: 'added: ' } as const;

/** Never by colour alone: a sign to see and a word to hear. */
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
