import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import styled from '@emotion/styled';
import { useId, useRef, useState } from 'react';
import type { AuditEntry } from '../../../generated/api/types.gen';
import { isTyping, useDocumentKey } from '../../ui/controls/keys';
import { RelativeTime } from '../../ui/data/RelativeTime';
import { nextRow } from '../../ui/data/tableKeys';
import { Body, Cell, Frame, Head, HeadCell, Row, Table } from '../../ui/data/tableStyles';
import { color, motion, radius, space, truncated, type } from '../../ui/theme';
import { AuditDetails } from './AuditDetails';
import { actorName, targetName } from './names';
import type { AuditSearch } from './search';

const narrow = '@container (max-width: 560px)';

const Toggle = styled('button')({
  display: 'flex',
  alignItems: 'center',
  gap: space(1),
  width: '100%',
  minHeight: 28,
  margin: `0 0 0 -${space(1)}`,
  padding: 0,
  border: 0,
  borderRadius: radius.small,
  background: 'none',
  color: color.text,
  textAlign: 'left',
  cursor: 'pointer',
  '& svg': { flex: 'none', fontSize: 18, color: color.muted, transition: `transform ${motion.fast}` },
  '&[aria-expanded="true"] svg': { transform: 'rotate(90deg)' },
  '&:hover code': { color: color.accentText },
});
const Action = styled('code')({
  ...type.mono,
  ...truncated,
  [narrow]: { whiteSpace: 'normal', overflowWrap: 'anywhere' },
});
const Details = styled('td')({
  padding: `${space(3)} ${space(2)} ${space(5)} ${space(7)}`,
  borderBottom: `1px solid ${color.line}`,
  backgroundColor: color.sunken,
  [narrow]: { display: 'block', padding: `${space(3)} ${space(2)} ${space(4)}` },
});
/** Narrow layouts hide the column with zero width: removing it would leave expanded rows one column too wide. */
const noRoom = {
  '@container (max-width: 720px)': { width: 0, padding: 0, fontSize: 0 },
};
const FromHead = styled(HeadCell)(noRoom);
const FromCell = styled(Cell)(noRoom);
const DetailsRow = styled('tr')({ [narrow]: { display: 'block' } });

interface Props {
  entries: readonly AuditEntry[];
  /** Whether newer results are loading; the current entries stay, dimmed. */
  refreshing: boolean;
  onFilter: (more: AuditSearch) => void;
}

/** Expandable rows. j and k move between them, Enter toggles. */
export function AuditTable({ entries, refreshing, onFilter }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const body = useRef<HTMLTableSectionElement>(null);
  useDocumentKey((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const active = document.activeElement;
    if (isTyping(active as HTMLElement | null) || active?.closest('[role="dialog"], [role="menu"]')) return;
    const toggles = [...(body.current?.querySelectorAll<HTMLElement>('[data-toggle]') ?? [])];
    const next = nextRow(
      event.key,
      toggles.findIndex((toggle) => toggle === active),
      toggles.length,
    );
    if (next === null) return;
    event.preventDefault();
    toggles[next]?.focus({ preventScroll: true });
    toggles[next]?.scrollIntoView({ block: 'nearest' });
  });
  const toggle = (id: string) =>
    setOpen((ids) => new Set(ids.has(id) ? [...ids].filter((one) => one !== id) : [...ids, id]));

  return (
    <Frame>
      <Table
        role="table"
        aria-label="Audit entries"
        aria-busy={refreshing}
        style={refreshing ? { opacity: 0.6 } : undefined}
      >
        <Head role="rowgroup">
          <tr>
            {/* Roles repeat those of the elements, because `display` on phones would drop them. */}
            <HeadCell role="columnheader">Action</HeadCell>
            <HeadCell role="columnheader">Actor</HeadCell>
            <HeadCell role="columnheader">Target</HeadCell>
            <FromHead role="columnheader">Source</FromHead>
            <HeadCell role="columnheader" data-align="right" style={{ width: 120 }}>
              Time
            </HeadCell>
          </tr>
        </Head>
        <Body ref={body} role="rowgroup">
          {entries.map((entry) => (
            <Entry
              key={entry.id}
              entry={entry}
              open={open.has(entry.id)}
              onToggle={() => toggle(entry.id)}
              onFilter={onFilter}
            />
          ))}
        </Body>
      </Table>
    </Frame>
  );
}

interface EntryProps {
  entry: AuditEntry;
  open: boolean;
  onToggle: () => void;
  onFilter: Props['onFilter'];
}

function Entry({ entry, open, onToggle, onFilter }: EntryProps) {
  const id = useId();
  const target = targetName(entry);
  const from = `${entry.place} · ${entry.device}`;
  return (
    <>
      <Row role="row">
        <Cell role="cell" data-first>
          <Toggle
            type="button"
            data-toggle
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={onToggle}
          >
            <ChevronRightIcon aria-hidden />
            <Action title={entry.action}>{entry.action}</Action>
          </Toggle>
        </Cell>
        <Cell role="cell" data-phone="meta" data-wrap="phone">
          {actorName(entry)}
        </Cell>
        <Cell role="cell" data-phone="meta" data-wrap="phone" title={target}>
          {target}
        </Cell>
        <FromCell role="cell" data-phone="hide" title={from}>
          {from}
        </FromCell>
        <Cell role="cell" data-align="right" data-phone="end">
          <RelativeTime at={entry.at} />
        </Cell>
      </Row>
      {open && (
        <DetailsRow role="row" id={id}>
          <Details role="cell" colSpan={5}>
            <AuditDetails entry={entry} onFilter={onFilter} />
          </Details>
        </DetailsRow>
      )}
    </>
  );
}
