import SearchIcon from 'lucide-react/icons/search';
import { Dialog } from '../mui/Dialog';
import styled from '@emotion/styled';
import { useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { counted } from '../../lib/texts/count';
import { Link } from '../link';
import { color, radius, space, truncated, type } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';
import { rank, type Ranked } from './fuzzy';
import { takeTyped } from './typeAhead';
import { ownValue } from '../../lib/ownValue';

export interface Command {
  id: string;
  label: string;
  /** "Pages", "Apps", "Actions": shown as headings if the query is empty. */
  group: string;
  /** On the right: its location or state. */
  detail?: string;
  keywords?: string;
  /** Ranks above others that match equally well. */
  leads?: boolean;
  icon?: ReactNode;
  href?: string;
  onSelect?: () => void;
}

const Top = styled('div')({
  display: 'flex',
  alignItems: 'center',
  gap: space(3),
  padding: `0 ${space(4)}`,
  height: 52,
  borderBottom: `1px solid ${color.line}`,
  color: color.muted,
  fontSize: 20,
});
const Input = styled('input')({
  ...type.lead,
  flex: 1,
  minWidth: 0,
  border: 0,
  outline: '0 !important',
  background: 'none',
  color: color.text,
  fontFamily: 'inherit',
  '&::placeholder': { color: color.faint, opacity: 1 },
});
const List = styled('div')({
  overflowY: 'auto',
  maxHeight: 'min(420px, 60vh)',
  padding: space(2),
  scrollPaddingBlock: space(8),
});
const Group = styled('div')({
  ...type.caption,
  fontWeight: 550,
  color: color.faint,
  padding: `${space(2)} ${space(2)} ${space(1)}`,
});
const optionStyle = {
  ...type.body,
  display: 'flex',
  alignItems: 'center',
  gap: space(2.5),
  minHeight: 36,
  padding: `${space(1)} ${space(2)}`,
  borderRadius: radius.control,
  color: color.text,
  textDecoration: 'none',
  cursor: 'pointer',
  '& svg': { fontSize: 18, color: color.muted, flex: 'none' },
  '&[aria-selected="true"]': { backgroundColor: color.selected },
  '& b': { fontWeight: 650, color: color.accentText },
} as const;
const OptionLink = styled(Link)(optionStyle);
const OptionAction = styled('div')(optionStyle);
const Text = styled('span')({
  flex: 1,
  minWidth: 0,
  ...truncated,
});
const Detail = styled('span')({
  ...type.small,
  color: color.muted,
  flex: 'none',
  maxWidth: '45%',
  ...truncated,
});
const None = styled('p')({
  ...type.body,
  color: color.muted,
  padding: `${space(6)} ${space(4)}`,
  textAlign: 'center',
  overflowWrap: 'anywhere',
});
const Keys = styled('div')({
  ...type.caption,
  display: 'flex',
  gap: space(4),
  padding: `${space(2)} ${space(4)}`,
  borderTop: `1px solid ${color.line}`,
  color: color.faint,
  '& kbd': { fontFamily: 'inherit', color: color.muted, marginRight: space(1) },
  '@media (pointer: coarse)': { display: 'none' },
});

const most = 60;
const SEARCHING = 'Searching…';

function Marked({ text, at }: { text: string; at: number[] }) {
  if (at.length === 0) return text;
  const hit = new Set(at);
  const parts: { hit: boolean; text: string }[] = [];
  for (let i = 0; i < text.length; i++) {
    const last = parts.at(-1);
    if (last && last.hit === hit.has(i)) last.text += text[i];
    else parts.push({ hit: hit.has(i), text: text[i]! });
  }
  return parts.map((part, i) => (part.hit ? <b key={i}>{part.text}</b> : <span key={i}>{part.text}</span>));
}

interface Props {
  open: boolean;
  onClose: () => void;
  commands: readonly Command[];
  /** Called with the query, for results from the server. */
  onQuery?: (query: string) => void;
  /** Whether more results are loading from the server. */
  isSearching?: boolean;
  placeholder?: string;
}

/** Search for every page and the common actions (Ctrl/⌘ K). ARIA: combobox with a listbox. */
export function CommandPalette({ open, onClose, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      maxWidth="sm"
      fullWidth
      aria-labelledby={id}
      slotProps={{ container: { style: { alignItems: 'flex-start', paddingTop: '8vh' } } }}
    >
      <VisuallyHidden as="h2" id={id}>
        Search
      </VisuallyHidden>
      <Content onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Content({
  commands,
  onClose,
  onQuery,
  isSearching = false,
  placeholder = 'Search pages, apps and actions',
}: Omit<Props, 'open'>) {
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = useMemo(() => rank(query, commands, most), [query, commands]);
  const current = Math.min(active, found.length - 1);

  const search = (text: string) => {
    setQuery(text);
    setActive(0);
    if (list.current) list.current.scrollTop = 0;
    onQuery?.(text);
  };
  const latestSearch = useRef(search);
  // The input now has the focus, so it receives all further typing.
  useLayoutEffect(() => {
    const ahead = takeTyped();
    if (ahead !== '') latestSearch.current(ahead);
  }, []);

  const move = (to: number) => {
    if (found.length === 0) return;
    const next = (to + found.length) % found.length;
    setActive(next);
    list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const moves: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: Math.min(current + 8, found.length - 1),
      PageUp: Math.max(current - 8, 0),
    };
    const to = ownValue(moves, event.key);
    if (to !== undefined) {
      event.preventDefault();
      move(to);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // Clicks the option itself, so that links go through the router and modifiers keep their meaning.
      const option = list.current?.querySelectorAll<HTMLElement>('[role="option"]')[current];
      option?.dispatchEvent(
        new MouseEvent('click', {
          bubbles: true,
          cancelable: true,
          ctrlKey: event.ctrlKey,
          metaKey: event.metaKey,
        }),
      );
    }
  };

  return (
    <>
      <Top>
        <SearchIcon aria-hidden />
        <Input
          autoFocus
          role="combobox"
          aria-label="Search"
          aria-expanded={found.length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
          placeholder={placeholder}
          spellCheck={false}
          autoComplete="off"
          value={query}
          onKeyDown={onKeyDown}
          onChange={(event) => search(event.target.value)}
        />
      </Top>
      <List ref={list} id={id} role="listbox" aria-label="Results" hidden={found.length === 0}>
        {found.map((entry, i) => (
          <Option
            key={entry.item.id}
            entry={entry}
            id={`${id}-${i}`}
            selected={i === current}
            heading={query.trim() === '' && entry.item.group !== found[i - 1]?.item.group}
            onPoint={() => setActive(i)}
            onClose={onClose}
          />
        ))}
      </List>
      {found.length === 0 && (
        <None>
          {isSearching ? SEARCHING : `Nothing found for “${query}”. Try fewer letters, or part of an ID.`}
        </None>
      )}
      <VisuallyHidden role="status">
        {query === '' ? '' : isSearching ? SEARCHING : counted(found.length, ['result', 'results'])}
      </VisuallyHidden>
      <Keys aria-hidden>
        <span>
          <kbd>↑↓</kbd>move
        </span>
        <span>
          <kbd>↵</kbd>open
        </span>
        <span>
          <kbd>esc</kbd>close
        </span>
      </Keys>
    </>
  );
}

function Option({
  entry,
  id,
  selected,
  heading,
  onPoint,
  onClose,
}: {
  entry: Ranked<Command>;
  id: string;
  selected: boolean;
  heading: boolean;
  onPoint: () => void;
  onClose: () => void;
}) {
  const { item, at } = entry;
  const props = {
    id,
    role: 'option',
    'aria-selected': selected,
    tabIndex: -1,
    onPointerMove: onPoint,
    onClick: () => {
      onClose();
      item.onSelect?.();
    },
  };
  const content = (
    <>
      {item.icon}
      <Text>
        <Marked text={item.label} at={at} />
      </Text>
      {item.detail !== undefined && <Detail>{item.detail}</Detail>}
    </>
  );
  return (
    <>
      {heading && <Group role="presentation">{item.group}</Group>}
      {item.href === undefined ? (
        <OptionAction {...props}>{content}</OptionAction>
      ) : (
        <OptionLink {...props} href={item.href}>
          {content}
        </OptionLink>
      )}
    </>
  );
}
