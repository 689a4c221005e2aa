import { type AnsiColor, type AnsiSpan, parseAnsi } from '../../lib/logs/ansi';
import type { LogView } from '../../lib/logs/text';
import type { Line, Span, SpanColor } from './line';

/** Creates a displayed line with its colors: only about fifty at a time, so they aren't cached. */
export function lineOf(view: LogView, id: number): Line {
  const raw = view.raw(id);
  const line: Line = { id, ts: view.timestamp(id), text: view.text(id), kind: view.kind(id) };
  return raw === null ? line : { ...line, spans: parseAnsi(raw).spans.map(toSpan) };
}

const PALETTE: readonly (SpanColor | undefined)[] = [
  'dim',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  undefined,
];

function toSpan({ text, style }: AnsiSpan): Span {
  const color = style.dim ? 'dim' : ofPalette(style.fg);
  return { text, ...(color === undefined ? {} : { color }), ...(style.bold ? { bold: true } : {}) };
}

/** Maps to the theme's six hues; a terminal's finer colors would lack contrast. */
function ofPalette(color: AnsiColor | undefined): SpanColor | undefined {
  if (color === undefined || !('palette' in color) || color.palette > 15) return undefined;
  return PALETTE[color.palette % 8];
}
