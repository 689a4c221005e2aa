import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import Columns3Icon from 'lucide-react/icons/columns-3';
import { useMemo, useRef, type ReactNode } from 'react';
import { IconAction } from '../controls/IconAction';
import { isTyping, useDocumentKey } from '../controls/keys';
import { MenuButton, OverflowMenu, type MenuEntry } from '../controls/MenuButton';
import { ErrorNotice } from '../feedback/ErrorNotice';
import type { Problem } from '../feedback/problem';
import { Bar as SkeletonBar } from '../feedback/Skeletons';
import { VisuallyHidden } from '../VisuallyHidden';
import { MoreButton, type More } from './MoreButton';
import { Pager, type Paging } from './Pager';
import type { Column } from './column';
import { fits, phoneOf, useFit } from './tableFit';
import { useOwnLook, type TableLook } from './tableLook';
import { useRowFocus, type RowFocus } from './useRowFocus';
import { chooseColumn, isPinned, nextRow, visibleColumns } from './tableKeys';
import {
  ActionsCell,
  Bar,
  Body,
  Cell,
  Counts,
  Frame,
  Grow,
  Head,
  HeadCell,
  Row,
  RowLink,
  SortButton,
  Table,
  Tick,
  TickCell,
  Tools,
} from './tableStyles';
import { countOf } from '../../lib/texts/count';

export type { Column, TableLook };

interface Sort {
  by: string;
  descending: boolean;
}

export interface DataTableProps<R> {
  /** Key for storing the user's column choice. */
  id: string;
  /** What is listed: "1 port", "25 of 141 workspaces". */
  noun: readonly [one: string, many: string];
  /** The accessible name, if it isn't the noun's plural. */
  label?: string;
  columns: readonly Column<R>[];
  /** Undefined during the first load. */
  rows: readonly R[] | undefined;
  rowId: (row: R) => string;
  /** Makes the first column a link. */
  rowHref?: (row: R) => string;
  /** The row's name in its menu: "Actions for web-1". */
  rowName: (row: R) => string;
  rowActions?: (row: R) => MenuEntry[];
  paging?: Paging;
  /** For a list without pages: the button that loads more rows. The count says that there are more. */
  more?: More;
  /** Number of items, if a row stands for several. */
  items?: number | undefined;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Search box and filter chips, on the left above the table. */
  filters?: ReactNode;
  /** Whether rows are being replaced (by the next page): the old ones stay, dimmed. */
  refreshing?: boolean;
  problem?: Problem | null;
  empty: ReactNode;
  skeletonRows?: number;
  /** Makes rows selectable for bulk actions. */
  selection?: Selection;
  /** Shown beside the count, once there are rows. */
  tools?: ReactNode;
  /** Hides count and column choice: for a short list under a heading with the count. */
  bare?: boolean;
  /** Columns and density stored elsewhere; by default they are stored on this device. */
  look?: TableLook;
  /**
   * On phones, puts the facts below the name on one line, so that values that arrive late can't change the row's
   * height.
   */
  evenRows?: boolean;
}

export interface Selection {
  /** Row IDs. */
  selected: ReadonlySet<string>;
  onToggle: (id: string) => void;
  /** Selects all rows of this page, or none. */
  onPage: (all: boolean) => void;
}

/** A list whose rows start with a real link; j and k move, Enter opens. */
export function DataTable<R>(props: DataTableProps<R>) {
  const {
    id,
    noun,
    label = noun[1],
    columns,
    rows,
    rowActions,
    paging,
    more,
    items = rows?.length ?? 0,
    filters,
    refreshing = false,
    problem,
    empty,
    skeletonRows = 8,
    selection,
    tools,
    bare = false,
    evenRows = false,
  } = props;
  const own = useOwnLook(id);
  const { columns: stored, isDense: dense, onColumns, onDense } = props.look ?? own;
  const frame = useRef<HTMLDivElement>(null);
  const fit = useFit(frame);
  const shown = useMemo(
    () =>
      visibleColumns(columns, stored).map((column, i): Column<R> => {
        if (!isPinned(stored, column.id)) return column;
        const { priority: _, ...pinned } = column;
        return phoneOf(column, i) === 'hide' ? { ...pinned, phone: evenRows ? 'line' : 'meta' } : pinned;
      }),
    [columns, stored, evenRows],
  );
  const inSight = new Set(shown.flatMap((column, i) => (fits(column, i, fit) ? [column.id] : [])));
  const body = useRef<HTMLTableSectionElement>(null);

  useDocumentKey((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const active = document.activeElement;
    if (isTyping(active as HTMLElement | null) || active?.closest('[role="dialog"], [role="menu"]')) return;
    const table = body.current;
    // If the page has several tables, the focused one responds, else the first.
    const focused = active?.closest('[data-table-body]');
    if (!table || (focused ?? document.querySelector('[data-table-body]')) !== table) return;
    const lines = [...table.rows];
    const current = lines.findIndex((line) => line.contains(active));
    const next = nextRow(event.key, current, lines.length);
    if (next === null) return;
    event.preventDefault();
    const line = lines[next];
    line?.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
    line?.scrollIntoView({ block: 'nearest' });
  });

  const loading = rows === undefined && !problem;
  const focus = useRowFocus(frame, rows === undefined);
  const table = { ...props, shown, focus };
  const hasTable = loading || (rows !== undefined && rows.length > 0);
  const isEmpty = rows?.length === 0 && !problem;
  const chooser: MenuEntry[] = columns.map((column, i) => ({
    id: column.id,
    label: column.header,
    role: 'menuitemcheckbox',
    checked: inSight.has(column.id),
    ...(i === 0 ? { disabledReason: 'Always shown' } : {}),
    onSelect: () => onColumns(chooseColumn(stored, column.id, !inSight.has(column.id))),
  }));
  chooser.push(
    { id: ':rule', rule: true },
    {
      id: ':density',
      label: 'Compact rows',
      role: 'menuitemcheckbox',
      checked: dense,
      onSelect: () => onDense(!dense),
    },
    ...(stored === '' ? [] : [{ id: ':reset', label: 'Reset columns', onSelect: () => onColumns('') }]),
  );

  return (
    <Frame ref={frame}>
      {!bare && (filters !== undefined || hasTable) && (
        <Bar>
          <Grow>{filters}</Grow>
          {rows !== undefined && hasTable && (
            <Counts>
              {countOf(items, paging?.total, noun, {
                estimated: paging?.estimated,
                more: more?.list.hasNextPage,
              })}
            </Counts>
          )}
          <Tools>
            {rows !== undefined && tools}
            {columns.length > 2 && hasTable && (
              <MenuButton
                stayOpen
                entries={chooser}
                trigger={(trigger) => (
                  <IconAction size="small" label="Choose columns" {...trigger}>
                    <Columns3Icon />
                  </IconAction>
                )}
              />
            )}
          </Tools>
        </Bar>
      )}
      {problem && <ErrorNotice problem={problem} />}
      {isEmpty && empty}
      {hasTable && (
        // The roles match the elements; they are explicit because `display` on phones would drop them.
        <Table
          role="table"
          aria-label={label}
          aria-busy={loading || refreshing}
          data-loading={loading || undefined}
          data-dense={dense || undefined}
          data-even={evenRows || undefined}
          style={refreshing ? { opacity: 0.6 } : undefined}
        >
          <ColumnHeads {...props} shown={shown} />
          <Body ref={body} data-table-body role="rowgroup" onBlur={focus.onBlur}>
            {loading ? (
              <Loading
                shown={shown}
                count={skeletonRows}
                actions={rowActions !== undefined}
                ticks={selection !== undefined}
                label={label}
              />
            ) : (
              rows?.map((row) => <Line key={props.rowId(row)} row={row} table={table} />)
            )}
          </Body>
        </Table>
      )}
      {paging && rows !== undefined && <Pager paging={paging} shown={rows.length} label={label} />}
      {more && <MoreButton {...more} />}
    </Frame>
  );
}

function ColumnHeads<R>({
  shown,
  sort,
  onSort,
  rowActions,
  rows = [],
  rowId,
  selection,
}: DataTableProps<R> & { shown: readonly Column<R>[] }) {
  return (
    <Head role="rowgroup">
      <tr>
        {selection && (
          <HeadCell role="columnheader" scope="col" style={{ width: 32, paddingLeft: 4, paddingRight: 0 }}>
            <Tick>
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={rows.length > 0 && rows.every((row) => selection.selected.has(rowId(row)))}
                disabled={rows.length === 0}
                onChange={(event) => selection.onPage(event.target.checked)}
              />
            </Tick>
          </HeadCell>
        )}
        {shown.map((column, i) => {
          const by = column.sort;
          const active = by !== undefined && sort?.by === by;
          const Arrow = sort?.descending ? ArrowDownIcon : ArrowUpIcon;
          return (
            <HeadCell
              key={column.id}
              role="columnheader"
              scope="col"
              data-first={i === 0 || undefined}
              data-align={column.align}
              data-priority={column.priority}
              style={column.width === undefined ? undefined : { width: column.width }}
              aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
            >
              {by !== undefined && onSort ? (
                <SortButton
                  type="button"
                  onClick={() => onSort({ by, descending: active ? !sort.descending : false })}
                >
                  {column.header}
                  {active && <Arrow />}
                </SortButton>
              ) : (
                column.header
              )}
            </HeadCell>
          );
        })}
        {rowActions && (
          <HeadCell role="columnheader" scope="col" style={{ width: 44 }}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </HeadCell>
        )}
      </tr>
    </Head>
  );
}

type Shown<R> = DataTableProps<R> & { shown: readonly Column<R>[]; focus: RowFocus };

function Line<R>({ row, table }: { row: R; table: Shown<R> }) {
  const name = table.rowName(row);
  const { selection, shown, focus } = table;
  const id = table.rowId(row);
  return (
    <Row role="row" data-row-id={id} onFocus={focus.onFocus}>
      {selection && (
        <TickCell role="cell">
          <Tick>
            <input
              type="checkbox"
              aria-label={`Select ${name}`}
              checked={selection.selected.has(id)}
              onChange={() => selection.onToggle(id)}
            />
          </Tick>
        </TickCell>
      )}
      {shown.map((column, i) => (
        <Cell
          key={column.id}
          role="cell"
          data-first={i === 0 || undefined}
          data-align={column.align}
          data-wrap={column.wrap}
          data-priority={column.priority}
          data-phone={phoneOf(column, i)}
          data-label={column.labelled === true && i > 0 ? column.header : undefined}
        >
          {i === 0 && table.rowHref ? (
            <RowLink href={table.rowHref(row)} title={name}>
              {column.cell(row)}
            </RowLink>
          ) : (
            column.cell(row)
          )}
        </Cell>
      ))}
      {table.rowActions && (
        <ActionsCell role="cell">
          <OverflowMenu small label={`Actions for ${name}`} entries={table.rowActions(row)} />
        </ActionsCell>
      )}
    </Row>
  );
}

const widths = ['62%', '48%', '74%', '55%', '66%'];

function Loading<R>({
  shown,
  count,
  actions,
  ticks,
  label,
}: {
  shown: readonly Column<R>[];
  count: number;
  actions: boolean;
  ticks: boolean;
  label: string;
}) {
  return Array.from({ length: count }, (_, line) => (
    <Row key={line} role="row">
      {ticks && <TickCell role="cell" />}
      {shown.map((column, i) => (
        <Cell
          key={column.id}
          role="cell"
          data-first={i === 0 || undefined}
          data-align={column.align}
          data-priority={column.priority}
          data-phone={phoneOf(column, i)}
        >
          {line === 0 && i === 0 && <VisuallyHidden>Loading {label}</VisuallyHidden>}
          <SkeletonBar
            w={widths[(line + i * 2) % widths.length]!}
            style={{ minWidth: 56, marginLeft: column.align === 'right' ? 'auto' : undefined }}
          />
        </Cell>
      ))}
      {actions && <ActionsCell role="cell" />}
    </Row>
  ));
}
