/** Rows in aligned columns, for reading and for `awk`; control characters cannot break out of their cell. */
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

/** `2026-11-21 08:30` UTC. */
export const shortTime = (time: Date | null) =>
  time === null ? '-' : time.toISOString().slice(0, 16).replace('T', ' ');
