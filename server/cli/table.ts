/** Aligns rows in columns for readers and `awk`. Control characters can't escape their cell. */
export function tableLines(head: string[], rows: string[][]): string[] {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replace(/\p{C}+/gu, ' ') || '-'));
  const widths = head.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Formats as `2026-11-21 08:30` in UTC. */
export const shortTime = (time: Date | null) =>
  time === null ? '-' : time.toISOString().slice(0, 16).replace('T', ' ');
