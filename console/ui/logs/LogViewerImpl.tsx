import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded';
import Button from '@mui/material/Button';
import { styled } from '@mui/material/styles';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type KeyboardEvent,
} from 'react';
import { isTyping, useDocumentKey } from '../controls/keys';
import { count } from '../data/count';
import { Glyph } from '../feedback/Glyph';
import { toneText } from '../feedback/StatusChip';
import type { Glyph as GlyphName, Tone } from '../feedback/status';
import { useStored } from '../stored';
import { color, radius, shadow, space, tabular, type } from '../theme';
import { firstHit, LogFilter } from './filter';
import type { LogSnapshot, LogState } from './line';
import { LogLine, rowHeight } from './LogLine';
import { LogToolbar, type LogOptions } from './LogToolbar';
import type { LogViewerProps } from './LogViewer';

const Root = styled('section')({
  position: 'relative',
  display: 'flex',
  flexDirection: 'column',
  minWidth: 0,
  border: `1px solid ${color.line}`,
  borderRadius: radius.panel,
  overflow: 'hidden',
  backgroundColor: color.sunken,
});
const Scroll = styled('div')({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  overscrollBehavior: 'contain',
  contain: 'strict',
  '&:focus-visible': { outlineOffset: '-2px' },
});
const Canvas = styled('div')({
  position: 'relative',
  width: 'max-content',
  minWidth: '100%',
  margin: `${space(2)} 0`,
  '&[data-wrap="true"]': { width: '100%' },
});
const Slot = styled('div')({
  position: 'absolute',
  top: 0,
  left: 0,
  minWidth: '100%',
  '&[data-wrap="true"]': { width: '100%' },
});
const Empty = styled('div')({
  flex: 1,
  display: 'grid',
  placeContent: 'center',
  minHeight: 0,
  overflow: 'auto',
});
const Foot = styled('div')({
  ...type.caption,
  ...tabular,
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: `0 ${space(3)}`,
  minHeight: 28,
  padding: `${space(1)} ${space(3)}`,
  borderTop: `1px solid ${color.line}`,
  backgroundColor: color.surface,
  color: color.muted,
});
const State = styled('span')({
  display: 'inline-flex',
  alignItems: 'center',
  gap: space(1),
  fontWeight: 550,
  '& svg': { fontSize: 13 },
});
const Jump = styled('div')({
  position: 'absolute',
  left: 0,
  right: 0,
  bottom: 40,
  display: 'flex',
  justifyContent: 'center',
  pointerEvents: 'none',
  '& > button': { pointerEvents: 'auto', boxShadow: shadow.raised },
});

const states: Record<LogState | 'paused', { word: string; tone: Tone; glyph: GlyphName }> = {
  live: { word: 'Live', tone: 'ok', glyph: 'check' },
  connecting: { word: 'Connecting', tone: 'progress', glyph: 'spinner' },
  reconnecting: { word: 'Reconnecting', tone: 'attention', glyph: 'spinner' },
  ended: { word: 'Ended', tone: 'neutral', glyph: 'stopped' },
  paused: { word: 'Paused', tone: 'attention', glyph: 'warning' },
};

/** Within this many pixels of the end one still counts as reading the end. */
const nearEnd = 24;

/** The source column is as wide as the longest name, within reason. */
const channelWidth = (
  channels: readonly string[],
  height: number,
): CSSProperties & Record<'--channel-width', string> => ({
  height,
  '--channel-width': `${Math.min(24, Math.max(4, ...channels.map((one) => one.length)))}ch`,
});

export default function LogViewerImpl({
  store,
  label,
  state,
  stateReason,
  channels,
  empty,
  onDownload,
  onClear,
  height,
}: LogViewerProps) {
  const live = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [frozen, setFrozen] = useState<LogSnapshot | null>(null);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [only, setOnly] = useState(false);
  const [look, setLook] = useStored('log-look', 'times');
  const [follow, setFollow] = useState(true);
  const [hit, setHit] = useState(-1);
  const [filter] = useState(() => new LogFilter());
  const scroll = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const options: LogOptions = { wrap: look.includes('wrap'), times: look.includes('times'), only };
  const text = useDeferredValue(query.toLowerCase());
  const shown = frozen ?? live;
  const view = useMemo(
    () => filter.update(shown.lines, { text, channels: chosen, only }),
    [filter, shown, text, chosen, only],
  );

  const rows = useVirtualizer({
    count: view.lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    overscan: 24,
    getItemKey: (i) => view.lines[i]?.id ?? i,
  });

  const toEnd = () => {
    if (view.lines.length > 0) rows.scrollToIndex(view.lines.length - 1, { align: 'end' });
  };
  useEffect(() => {
    if (follow && !frozen) toEnd();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when lines come, not whenever the virtualiser moves
  }, [view.lines, follow, frozen, options.wrap]);

  const onScroll = () => {
    const box = scroll.current;
    if (box) setFollow(box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd);
  };
  const pause = () => setFrozen(frozen ? null : { ...live, lines: live.lines.slice() });
  const onHit = (step: 1 | -1) => {
    if (view.hits.length === 0) return;
    // The first jump starts from what is on screen, as in any editor.
    const top = rows.getVirtualItemForOffset(rows.scrollOffset ?? 0)?.index ?? 0;
    const next =
      hit < 0 ? firstHit(view.hits, top, step) : (hit + step + view.hits.length) % view.hits.length;
    setHit(next);
    setFollow(false);
    rows.scrollToIndex(view.hits[next]!, { align: 'center' });
  };
  const onOption = (name: keyof LogOptions) => {
    if (name === 'only') setOnly(!only);
    else
      setLook(
        ['wrap', 'times']
          .filter((one) => (one === name ? !options[name] : options[one as 'wrap' | 'times']))
          .join(' '),
      );
  };
  const onChannel = (channel: string | null) => {
    const next = new Set(chosen);
    if (channel === null) next.clear();
    else if (!next.delete(channel)) next.add(channel);
    setChosen(next);
  };

  useDocumentKey(
    (event) => {
      if (
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        isTyping(document.activeElement as HTMLElement | null)
      )
        return;
      event.preventDefault();
      search.current?.focus();
    },
    { first: true },
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'End') setFollow(true);
    if (event.key === 'n') onHit(1);
    if (event.key === 'N') onHit(-1);
  };

  const waiting = frozen ? live.version - frozen.version : 0;
  const missed = frozen ? Math.max(0, live.lines.length - frozen.lines.length) : 0;
  const { word, tone, glyph } = states[frozen ? 'paused' : state];
  const manyChannels = channels.length > 1 && chosen.size !== 1;
  const current = hit < 0 ? -1 : view.hits[hit];

  return (
    <Root aria-label={label} style={{ height }}>
      <LogToolbar
        {...{ query, onHit, hit, options, onOption, channels, chosen, onChannel, onDownload, onClear }}
        onQuery={(next) => {
          setQuery(next);
          setHit(-1);
        }}
        searchRef={search}
        hits={view.hits.length}
        paused={frozen !== null}
        canPause={state !== 'ended' || frozen !== null}
        onPause={pause}
      />
      {view.lines.length === 0 ? (
        <Empty>{shown.lines.length === 0 ? empty : 'No line matches.'}</Empty>
      ) : (
        // Not announced line by line: a busy log would drown everything else. The state below is.
        <Scroll
          ref={scroll}
          role="log"
          aria-live="off"
          aria-label={`${label}, ${count(view.lines.length)} lines`}
          tabIndex={0}
          onScroll={onScroll}
          onKeyDown={onKeyDown}
        >
          <Canvas data-wrap={options.wrap} style={channelWidth(channels, rows.getTotalSize())}>
            {rows.getVirtualItems().map((item) => (
              <Slot
                key={item.key}
                ref={options.wrap ? rows.measureElement : undefined}
                data-index={item.index}
                data-wrap={options.wrap}
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <LogLine
                  line={view.lines[item.index]!}
                  query={text}
                  wrap={options.wrap}
                  times={options.times}
                  channel={manyChannels}
                  current={item.index === current}
                />
              </Slot>
            ))}
          </Canvas>
        </Scroll>
      )}
      {!follow && view.lines.length > 0 && (
        <Jump>
          <Button
            size="small"
            startIcon={<ArrowDownwardRounded />}
            onClick={() => {
              setFrozen(null);
              setFollow(true);
              toEnd();
            }}
          >
            Jump to latest
          </Button>
        </Jump>
      )}
      <Foot>
        <State role="status" style={{ color: toneText(tone) }}>
          <Glyph name={glyph} />
          {word}
        </State>
        {frozen ? (
          <span>
            {missed > 0
              ? `${count(missed)} new lines since`
              : waiting > 0
                ? 'new lines since'
                : 'nothing new yet'}
          </span>
        ) : (
          stateReason !== undefined && <span>{stateReason}</span>
        )}
        <span style={{ marginLeft: 'auto' }}>{count(view.lines.length)} lines</span>
      </Foot>
    </Root>
  );
}
