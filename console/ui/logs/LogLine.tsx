import styled from '@emotion/styled';
import { memo } from 'react';
import { color, radius, space, tabular, truncated, type } from '../theme';
import { pieces } from './filter';
import { rowHeight } from './useLogRows';
import type { Line, SpanColor } from './line';

const Row = styled('div')({
  ...type.mono,
  display: 'flex',
  minHeight: rowHeight,
  padding: `0 ${space(3)}`,
  whiteSpace: 'pre',
  '&[data-wrap="true"]': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  '&:hover': { backgroundColor: color.hover },
  '&[data-current="true"]': { backgroundColor: color.selected },
  '& mark': { backgroundColor: color.markSoft, color: color.markText, borderRadius: 2 },
  '&[data-current="true"] mark': { backgroundColor: color.markCurrent },
});
const Time = styled('span')({ ...tabular, flex: 'none', color: color.faint, marginRight: space(3) });
const Channel = styled('span')({
  flex: 'none',
  width: 'var(--channel-width)',
  marginRight: space(3),
  ...truncated,
  color: color.muted,
});
const Text = styled('span')({ flex: 1, minWidth: 0 });
const Marker = styled('div')({
  ...type.caption,
  display: 'flex',
  alignItems: 'center',
  gap: space(3),
  minHeight: rowHeight,
  padding: `0 ${space(3)}`,
  fontWeight: 500,
  '&::before, &::after': {
    content: '""',
    flex: 1,
    minWidth: 12,
    borderTop: `1px dashed currentColor`,
    opacity: 0.5,
  },
  '&[data-kind="gap"]': { color: color.attentionText, backgroundColor: color.attentionSoft },
  '&[data-kind="notice"]': { color: color.muted },
  '& span': { borderRadius: radius.small, overflowWrap: 'anywhere' },
});

const inks: Record<SpanColor, string> = {
  red: color.errorText,
  green: color.okText,
  yellow: color.attentionText,
  blue: color.progressText,
  magenta: color.simulatedText,
  cyan: color.accentText,
  dim: color.faint,
};

/** "14:03:07.120" in the user's time zone; the date is in the title. */
function clock(ts: string): string {
  const date = new Date(ts);
  if (Number.isNaN(date.getTime())) return ts;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

interface Props {
  line: Line;
  query: string;
  wrap: boolean;
  times: boolean;
  channel: boolean;
  current: boolean;
}

export const LogLine = memo(function LogLine({ line, query, wrap, times, channel, current }: Props) {
  if (line.kind === 'gap' || line.kind === 'notice') {
    return (
      <Marker data-kind={line.kind}>
        <span>{line.text}</span>
      </Marker>
    );
  }
  return (
    <Row data-wrap={wrap} data-current={current}>
      {times && (
        <Time title={line.ts ?? undefined}>{line.ts === null ? '            ' : clock(line.ts)}</Time>
      )}
      {channel && <Channel title={line.kind}>{line.kind}</Channel>}
      <Text>
        {pieces(line, query).map((piece, i) => {
          const style =
            piece.color || piece.bold
              ? { color: piece.color && inks[piece.color], fontWeight: piece.bold ? 700 : undefined }
              : undefined;
          return piece.hit ? (
            <mark key={i}>{piece.text}</mark>
          ) : style ? (
            <span key={i} style={style}>
              {piece.text}
            </span>
          ) : (
            piece.text
          );
        })}
      </Text>
    </Row>
  );
}, sameLine);

/** Line objects are recreated on each render, but the line with a given number never changes. */
function sameLine({ line: before, ...a }: Props, { line, ...b }: Props): boolean {
  return (
    before.id === line.id &&
    a.query === b.query &&
    a.wrap === b.wrap &&
    a.times === b.times &&
    a.channel === b.channel &&
    a.current === b.current
  );
}
