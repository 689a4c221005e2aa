import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import {
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type KeyboardEvent,
} from 'react';
import { isTyping, useDocumentKey } from '../controls/keys';
import { counted } from '../../lib/texts/count';
import { Glyph } from '../feedback/Glyph';
import { toneText } from '../feedback/ToneChip';
import type { Glyph as GlyphName, Tone } from '../feedback/status';
import { useStored } from '../stored';
import { color, radius, shadow, space, tabular, type } from '../theme';
import type { LogView } from '../../lib/logs/text';
import { TextLink } from '../link';
import { firstHit } from './filter';
import type { LogState } from './line';
import { lineOf } from './lineOf';
import { LogLine } from './LogLine';
import { LogToolbar, type LogOptions } from './LogToolbar';
import type { LogViewerProps } from './LogViewer';
import { useLogFilter } from './useLogFilter';
import { useLogRows } from './useLogRows';

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

const LINES = ['line', 'lines'] as const;
const states: Record<LogState | 'paused', { word: string; tone: Tone; glyph: GlyphName }> = {
  live: { word: 'Live', tone: 'ok', glyph: 'check' },
  connecting: { word: 'Connecting', tone: 'progress', glyph: 'spinner' },
  reconnecting: { word: 'Reconnecting', tone: 'attention', glyph: 'spinner' },
  waiting: { word: 'Waiting', tone: 'progress', glyph: 'spinner' },
  ended: { word: 'Ended', tone: 'neutral', glyph: 'stopped' },
  paused: { word: 'Paused', tone: 'attention', glyph: 'warning' },
};

/** Returns the source column's width: that of the longest name, within limits. */
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
  moment,
  older,
  onDownload,
  onClear,
  height,
}: LogViewerProps) {
  const live = useSyncExternalStore(store.subscribe, store.getSnapshot);
  const [frozen, setFrozen] = useState<LogView | null>(null);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [only, setOnly] = useState(false);
  const [look, setLook] = useStored('log-look', 'times');
  const [follow, setFollow] = useState(true);
  /** The line of the current match, or the requested one. */
  const [current, setCurrent] = useState(-1);
  const box = useRef<HTMLDivElement>(null);
  const slot = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);

  const options: LogOptions = { wrap: look.includes('wrap'), times: look.includes('times'), only };
  const text = useDeferredValue(query.toLowerCase());
  const log = frozen ?? live;
  const rows = useLogFilter(log, { text, channels: chosen, only });
  const { hits } = rows;
  const { from, to, canvas, onScroll, toLine, topLine } = useLogRows({
    rows,
    wrap: options.wrap,
    follow: follow && !frozen,
    box,
    slot,
  });

  // Jumps once lines of that time have arrived.
  const [looked, setLooked] = useState<string>();
  const found = moment !== undefined && looked !== moment ? momentIn(log, moment) : null;
  useEffect(() => {
    if (found === null) return;
    setLooked(moment);
    setFollow(false);
    setCurrent(found);
    toLine(found);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when it is there
  }, [found]);

  const pause = () => setFrozen(frozen ? null : live);
  const onHit = (step: 1 | -1) => {
    if (hits.length === 0) return;
    // The first jump starts from the visible lines, as in an editor.
    const at = hits.find(current);
    const standing = at < hits.length && hits.at(at) === current;
    const next = standing ? (at + step + hits.length) % hits.length : firstHit(hits, topLine(), step);
    const line = hits.at(next);
    setCurrent(line);
    setFollow(false);
    toLine(line);
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
    if (['ArrowUp', 'PageUp', 'Home'].includes(event.key)) setFollow(false);
    if (event.key === 'n') onHit(1);
    if (event.key === 'N') onHit(-1);
  };

  const missed = frozen ? live.end - frozen.end : 0;
  const { word, tone, glyph } = states[frozen ? 'paused' : state];
  const manyChannels = channels.length > 1 && chosen.size !== 1;
  const at = hits.find(current);

  return (
    <Root aria-label={label} style={{ height }}>
      <LogToolbar
        {...{ query, onHit, options, onOption, channels, chosen, onChannel, onDownload, onClear }}
        onQuery={(next) => {
          setQuery(next);
          setCurrent(-1);
        }}
        searchRef={search}
        hit={at < hits.length && hits.at(at) === current ? at : -1}
        hits={hits.length}
        searching={text !== '' && rows.left > 0}
        paused={frozen !== null}
        canPause={state !== 'ended' || frozen !== null}
        onPause={pause}
      />
      {rows.count === 0 ? (
        <Empty>{log.length === 0 ? empty : rows.left > 0 ? 'Searching…' : 'No line matches.'}</Empty>
      ) : (
        // Not announced line by line, because a busy log would drown out everything else. The state below is
        // announced.
        <Scroll
          ref={box}
          role="log"
          aria-live="off"
          aria-label={`${label}, ${counted(rows.count, LINES)}`}
          tabIndex={0}
          onScroll={() => setFollow(onScroll())}
          // Stops following before the scroll happens; otherwise arriving lines would jump back to the end.
          onWheel={(event) => event.deltaY < 0 && setFollow(false)}
          onTouchMove={() => setFollow(false)}
          onKeyDown={onKeyDown}
        >
          <Canvas data-wrap={options.wrap} style={channelWidth(channels, canvas)}>
            <Slot ref={slot} data-wrap={options.wrap}>
              {Array.from({ length: to - from }, (_, i) => {
                const line = rows.line(from + i);
                return (
                  <LogLine
                    key={line}
                    line={lineOf(log, line)}
                    query={text}
                    wrap={options.wrap}
                    times={options.times}
                    channel={manyChannels}
                    current={line === current}
                  />
                );
              })}
            </Slot>
          </Canvas>
        </Scroll>
      )}
      {!follow && rows.count > 0 && (
        <Jump>
          <Button
            size="small"
            startIcon={<ArrowDownIcon />}
            onClick={() => {
              setFrozen(null);
              setFollow(true);
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
            {missed > 0 ? `${counted(missed, ['new line', 'new lines'])} since` : 'nothing new yet'}
          </span>
        ) : (
          stateReason !== undefined && <span>{stateReason}</span>
        )}
        {log.dropped > 0 && (
          <span>
            {counted(log.dropped, ['older line', 'older lines'])} discarded.{' '}
            {older && (
              <TextLink href={older(log.timestamp(log.first))} download>
                Download older lines
              </TextLink>
            )}
          </span>
        )}
        <span style={{ marginLeft: 'auto' }}>{counted(rows.count, LINES)}</span>
      </Foot>
    </Root>
  );
}

/** Returns the first line at or after that time, once there is one. */
function momentIn(log: LogView, moment: string): number | null {
  const last = log.length === 0 ? null : log.timestamp(log.end - 1);
  if (last === null || last < new Date(moment).toISOString().replace('Z', '')) return null;
  return log.lineAt(Date.parse(moment));
}
