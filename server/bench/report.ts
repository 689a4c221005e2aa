/** Result of one part of the benchmark: lines of the table at the end. */
export interface Row {
  what: string;
  figures: string;
  /** The project's target. Times are never asserted; the reader compares. */
  aim?: string;
}

export interface Part {
  title: string;
  /** How it was measured, in a line or two. */
  how: string;
  rows: Row[];
  /** Faults on any machine; they fail the benchmark. */
  faults?: readonly string[];
}

export interface Options {
  /** Small numbers, to check quickly that the benchmark itself works. */
  quick: boolean;
  /** Writes the server's CPU profiles into .cache/bench, for Chromium's developer tools. */
  profile: boolean;
  /** Prints a progress line. */
  say(line: string): void;
}

export function printReport(parts: readonly Part[]): void {
  const all = parts.flatMap((part) => part.rows);
  const width = (pick: (row: Row) => string) => Math.max(0, ...all.map((row) => pick(row).length));
  const first = width((row) => row.what);
  const second = width((row) => row.figures);
  const lines = parts.flatMap((part) => [
    '',
    part.title,
    ...wrap(part.how, 110).map((line) => `  ${line}`),
    ...part.rows.map((row) =>
      `  ${row.what.padEnd(first)}  ${row.figures.padEnd(second)}  ${row.aim ? `aim ${row.aim}` : ''}`.trimEnd(),
    ),
  ]);
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line && line.length + word.length >= width) lines.push(word);
    else lines[lines.length - 1] = line ? `${line} ${word}` : word;
  }
  return lines;
}

/** Returns the value below which a share `p` (0 to 1) of the values lies; 0 for none. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? 0;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : value.toFixed(0)} ms`;
export const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
