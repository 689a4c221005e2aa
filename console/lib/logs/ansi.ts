// Terminal escapes in log text (ECMA-48): colors become styled spans, and everything else is dropped. The
// output is plain data; log text never becomes HTML or CSS.

/** A palette index 0–255 (0–15 are the theme's) or true color as 0xRRGGBB. */
export type AnsiColor = { palette: number } | { rgb: number };

export interface AnsiStyle {
  fg?: AnsiColor;
  bg?: AnsiColor;
  bold?: true;
  dim?: true;
  italic?: true;
  underline?: true;
  strike?: true;
  inverse?: true;
  hidden?: true;
}

export interface AnsiSpan {
  text: string;
  style: AnsiStyle;
}

/* eslint-disable no-control-regex -- control characters are what this file is about */
// In order: CSI, strings (OSC, DCS, SOS, PM, APC) up to their end or the end of the text, other escapes, a lone
// ESC, and every other control character except tab and newline.
const CONTROL =
  /(?:\x1b\[|\x9b)([0-9:;<=>?]*)([ -/]*)([@-~])?|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?|[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
/* eslint-enable no-control-regex */

/**
 * Returns one line's spans. `initial` is the style left by the previous line, `end` the one this line leaves. A
 * carriage return restarts the line, as progress bars do.
 */
export function parseAnsi(line: string, initial: AnsiStyle = {}): { spans: AnsiSpan[]; end: AnsiStyle } {
  let style = initial;
  let spans: AnsiSpan[] = [];
  let from = 0;
  let restart = false;
  const push = (text: string) => {
    if (text === '') return;
    if (restart) spans = [];
    restart = false;
    const last = spans.at(-1);
    if (last && last.style === style) last.text += text;
    else spans.push({ text, style });
  };
  CONTROL.lastIndex = 0;
  for (let match = CONTROL.exec(line); match; match = CONTROL.exec(line)) {
    push(line.slice(from, match.index));
    from = CONTROL.lastIndex;
    const [all, parameters = '', intermediate, final] = match;
    if (all === '\r') restart = true;
    else if (final === 'm' && intermediate === '') style = applySgr(style, parameters);
  }
  push(line.slice(from));
  return { spans, end: style };
}

/** Returns the text a terminal would show, without control characters except tab and newline. */
export function stripAnsi(text: string): string {
  return text.replace(CONTROL, '');
}

function applySgr(before: AnsiStyle, parameters: string): AnsiStyle {
  if (/[<=>?]/.test(parameters)) return before; // private sequences
  const style = { ...before };
  const codes = parameters.split(';');
  for (let i = 0; i < codes.length; i++) {
    const parts = (codes[i] ?? '').split(':').map(Number);
    const code = parts[0] ?? 0;
    if (code === 38 || code === 48) {
      // 38;5;n or 38;2;r;g;b, also with colons (where an empty color space may precede r).
      const colon = parts.length > 1;
      const rest = colon ? parts.slice(1) : codes.slice(i + 1, i + 5).map(Number);
      const [mode, ...values] = rest;
      if (!colon) i += mode === 5 ? 2 : mode === 2 ? 4 : 1;
      const rgb = colon && values.length > 3 ? values.slice(1) : values;
      const color = mode === 5 ? palette(values[0]) : mode === 2 ? trueColor(rgb) : null;
      if (color) style[code === 38 ? 'fg' : 'bg'] = color;
    } else simple(style, code, parts[1]);
  }
  return style;
}

function simple(style: AnsiStyle, code: number, variant: number | undefined): void {
  const color = (from: number) => ({ palette: code - from });
  if (code === 0) for (const key of Object.keys(style) as (keyof AnsiStyle)[]) delete style[key];
  else if (code === 1) style.bold = true;
  else if (code === 2) style.dim = true;
  else if (code === 3) style.italic = true;
  else if (code === 4 && variant === 0) delete style.underline;
  else if (code === 4 || code === 21) style.underline = true;
  else if (code === 7) style.inverse = true;
  else if (code === 8) style.hidden = true;
  else if (code === 9) style.strike = true;
  else if (code === 22) {
    delete style.bold;
    delete style.dim;
  } else if (code === 23) delete style.italic;
  else if (code === 24) delete style.underline;
  else if (code === 27) delete style.inverse;
  else if (code === 28) delete style.hidden;
  else if (code === 29) delete style.strike;
  else if (code >= 30 && code <= 37) style.fg = color(30);
  else if (code >= 90 && code <= 97) style.fg = color(82);
  else if (code === 39) delete style.fg;
  else if (code >= 40 && code <= 47) style.bg = color(40);
  else if (code >= 100 && code <= 107) style.bg = color(92);
  else if (code === 49) delete style.bg;
}

const isByte = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 0 && value <= 255;

function palette(index: number | undefined): AnsiColor | null {
  return isByte(index) ? { palette: index } : null;
}

function trueColor([r, g, b]: number[]): AnsiColor | null {
  return isByte(r) && isByte(g) && isByte(b) ? { rgb: r * 65536 + g * 256 + b } : null;
}
