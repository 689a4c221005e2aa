interface Line {
  /** Width of the line. All lengths are in CSS pixels. */
  available: number;
  /** Gap between two tabs. */
  gap: number;
  /** Width of the button that opens the menu with the other tabs. */
  more: number;
  /** Index of the current tab, which is always among those that fit; -1 if there is none. */
  current: number;
}

/** Browsers use fractions of a pixel in layout, and their sums are inexact. */
const TOLERANCE = 0.5;

/**
 * Returns the indices of the tabs that fit on one line, in order: all of them, or the first ones and the current
 * one beside the button for the others.
 * @param widths of the tabs
 */
export function tabsThatFit(widths: readonly number[], { available, gap, more, current }: Line): number[] {
  const all = widths.map((_, index) => index);
  const lengthOf = (tabs: readonly number[]) =>
    tabs.reduce((sum, index) => sum + (widths[index] ?? 0), 0) + gap * Math.max(0, tabs.length - 1);
  // A hidden line has no width.
  if (available <= 0 || lengthOf(all) <= available + TOLERANCE) return all;
  const room = available - gap - more + TOLERANCE;
  let fitting = widths[current] === undefined ? [] : [current];
  for (const index of all) {
    if (index === current) continue;
    const longer = [...fitting, index];
    if (lengthOf(longer) > room) break;
    fitting = longer;
  }
  return fitting.toSorted((a, b) => a - b);
}
