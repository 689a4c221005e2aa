import styled from '@emotion/styled';
import type { LogView } from '../../lib/logs/text';
import { counted } from '../../lib/texts/count';
import { Glyph } from '../feedback/Glyph';
import type { Glyph as GlyphName, Tone } from '../feedback/status';
import { toneText } from '../feedback/ToneChip';
import { TextLink } from '../link';
import { color, space, tabular, type } from '../theme';
import { LINES, type LogState } from './line';
import type { LogViewerProps } from './LogViewer';

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

const states: Record<LogState | 'paused', { word: string; tone: Tone; glyph: GlyphName }> = {
  live: { word: 'Live', tone: 'ok', glyph: 'check' },
  connecting: { word: 'Connecting', tone: 'progress', glyph: 'spinner' },
  reconnecting: { word: 'Reconnecting', tone: 'attention', glyph: 'spinner' },
  waiting: { word: 'Waiting', tone: 'progress', glyph: 'spinner' },
  ended: { word: 'Ended', tone: 'neutral', glyph: 'stopped' },
  paused: { word: 'Paused', tone: 'attention', glyph: 'warning' },
};

interface Props {
  log: LogView;
  state: LogState;
  stateReason: string | undefined;
  older: LogViewerProps['older'] | undefined;
  isPaused: boolean;
  /** Lines that arrived since the pause. */
  missed: number;
  /** Lines that match the search. */
  shown: number;
}

/** The stream's state, discarded lines and the number of lines. */
export function LogFoot({ log, state, stateReason, older, isPaused, missed, shown }: Props) {
  const { word, tone, glyph } = states[isPaused ? 'paused' : state];
  return (
    <Foot>
      <State role="status" style={{ color: toneText(tone) }}>
        <Glyph name={glyph} />
        {word}
      </State>
      {isPaused ? (
        <span>{missed > 0 ? `${counted(missed, ['new line', 'new lines'])} since` : 'nothing new yet'}</span>
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
      <span style={{ marginLeft: 'auto' }}>{counted(shown, LINES)}</span>
    </Foot>
  );
}
