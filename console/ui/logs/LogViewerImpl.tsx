import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import { Button } from '../controls/Button';
import styled from '@emotion/styled';
import type { CSSProperties } from 'react';
import { counted } from '../../lib/texts/count';
import { color, radius, shadow, space } from '../theme';
import { LINES } from './line';
import { lineOf } from './lineOf';
import { LogFoot } from './LogFoot';
import { LogLine } from './LogLine';
import { LogToolbar } from './LogToolbar';
import type { LogViewerProps } from './LogViewer';
import { useLogViewer } from './useLogViewer';

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
  const { box, slot, search, ...viewer } = useLogViewer({ store, moment });
  const { log, rows, options, setFollow, isPaused, missed } = viewer;
  const manyChannels = channels.length > 1 && viewer.channels.size !== 1;
  return (
    <Root aria-label={label} style={{ height }}>
      <LogToolbar
        query={viewer.query}
        onQuery={viewer.onQuery}
        searchRef={search}
        hits={rows.hits.length}
        searching={viewer.text !== '' && rows.left > 0}
        hit={viewer.hit}
        onHit={viewer.onHit}
        options={options}
        onOption={viewer.onOption}
        channels={channels}
        chosen={viewer.channels}
        onChannel={viewer.onChannel}
        paused={isPaused}
        canPause={state !== 'ended' || isPaused}
        onPause={viewer.onPause}
        onDownload={onDownload}
        onClear={onClear}
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
          onScroll={viewer.onScroll}
          // Stops following before the scroll happens; otherwise arriving lines would jump back to the end.
          onWheel={(event) => event.deltaY < 0 && setFollow(false)}
          onTouchMove={() => setFollow(false)}
          onKeyDown={viewer.onKeyDown}
        >
          <Canvas data-wrap={options.wrap} style={channelWidth(channels, viewer.canvas)}>
            <Slot ref={slot} data-wrap={options.wrap}>
              {Array.from({ length: viewer.to - viewer.from }, (_, i) => {
                const line = rows.line(viewer.from + i);
                return (
                  <LogLine
                    key={line}
                    line={lineOf(log, line)}
                    query={viewer.text}
                    wrap={options.wrap}
                    times={options.times}
                    channel={manyChannels}
                    current={line === viewer.current}
                  />
                );
              })}
            </Slot>
          </Canvas>
        </Scroll>
      )}
      {!viewer.follow && rows.count > 0 && (
        <Jump>
          <Button size="small" startIcon={<ArrowDownIcon />} onClick={viewer.onLatest}>
            Jump to latest
          </Button>
        </Jump>
      )}
      <LogFoot {...{ log, state, stateReason, older, isPaused, missed }} shown={rows.count} />
    </Root>
  );
}
