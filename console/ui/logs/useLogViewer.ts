import {
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
} from 'react';
import type { LogView } from '../../lib/logs/text';
import { isTyping, useDocumentKey } from '../controls/keys';
import { useStored } from '../stored';
import { firstHit } from './filter';
import type { LogOptions } from './LogToolbar';
import type { LogViewerProps } from './LogViewer';
import { useLogFilter } from './useLogFilter';
import { useLogRows } from './useLogRows';

/** The log viewer's state: the matching lines, the position among them, and whether new lines are followed. */
export function useLogViewer({ store, moment }: Pick<LogViewerProps, 'store' | 'moment'>) {
  const live = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [frozen, setFrozen] = useState<LogView | null>(null);
  const [follow, setFollow] = useState(true);
  const [query, setQuery] = useState('');
  const [channels, setChannels] = useState<ReadonlySet<string>>(new Set());
  const [options, onOption] = useLogOptions();
  /** The line of the current match, or the requested one. */
  const [current, setCurrent] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const slot = useRef<HTMLDivElement>(null);
  const search = useSlashKey();

  const text = useDeferredValue(query.toLowerCase());
  const log = frozen ?? live;
  const rows = useLogFilter(log, { text, channels, only: options.only });
  const { from, to, canvas, onScroll, toLine, topLine } = useLogRows({
    rows,
    wrap: options.wrap,
    follow: follow && !frozen,
    box,
    slot,
  });
  const goTo = (line: number) => {
    setCurrent(line);
    setFollow(false);
    toLine(line);
  };

  // Jumps once lines of that time have arrived.
  const [looked, setLooked] = useState<string>();
  const found = moment !== undefined && looked !== moment ? momentIn(log, moment) : null;
  useEffect(() => {
    if (found === null) return;
    setLooked(moment);
    goTo(found);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it is there
  }, [found]);

  const { hits } = rows;
  const at = hits.find(current);
  const hit = at < hits.length && hits.at(at) === current ? at : -1;
  const onHit = (step: 1 | -1) => {
    if (hits.length === 0) return;
    // The first jump starts from the visible lines, as in an editor.
    const next = hit < 0 ? firstHit(hits, topLine(), step) : (hit + step + hits.length) % hits.length;
    goTo(hits.at(next));
  };

  return {
    log,
    rows,
    /** The rendered rows: first (inclusive) and last (exclusive). */
    from,
    to,
    canvas,
    box,
    slot,
    /** The search text that `rows` match; follows `query` when there is time. */
    text,
    query,
    onQuery(next: string) {
      setQuery(next);
      setCurrent(-1);
    },
    search,
    current,
    /** Index of the current match, -1 if none is. */
    hit,
    onHit,
    options,
    onOption,
    channels,
    onChannel(channel: string | null) {
      const next = new Set(channels);
      if (channel === null) next.clear();
      else if (!next.delete(channel)) next.add(channel);
      setChannels(next);
    },
    follow,
    setFollow,
    onScroll: () => setFollow(onScroll()),
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'End') setFollow(true);
      if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) setFollow(false);
      if (event.key === 'n') onHit(1);
      if (event.key === 'N') onHit(-1);
    },
    isPaused: frozen !== null,
    onPause: () => setFrozen(frozen ? null : live),
    onLatest() {
      setFrozen(null);
      setFollow(true);
    },
    /** Lines that arrived since the pause. */
    missed: frozen ? live.end - frozen.end : 0,
  };
}

/** Line wrapping and timestamps are stored on this device; "only matching lines" is not. */
function useLogOptions(): [LogOptions, (name: keyof LogOptions) => void] {
  const [look, setLook] = useStored('log-look', 'times');
  const [only, setOnly] = useState(false);
  const options: LogOptions = { wrap: look.includes('wrap'), times: look.includes('times'), only };
  const toggle = (name: keyof LogOptions) => {
    if (name === 'only') return setOnly(!only);
    const next = { ...options, [name]: !options[name] };
    setLook((['wrap', 'times'] as const).filter((one) => next[one]).join(' '));
  };
  return [options, toggle];
}

/** Returns the search box's ref; "/" focuses it. */
function useSlashKey() {
  const search = useRef<HTMLInputElement>(null);
  useDocumentKey(
    (event) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey) return;
      if (isTyping(document.activeElement as HTMLElement | null)) return;
      event.preventDefault();
      search.current?.focus();
    },
    { first: true },
  );
  return search;
}

/** Returns the first line at or after that time, once there is one. */
function momentIn(log: LogView, moment: string): number | null {
  const last = log.length === 0 ? null : log.timestamp(log.end - 1);
  if (last === null || last < new Date(moment).toISOString().replace('Z', '')) return null;
  return log.lineAt(Date.parse(moment));
}
