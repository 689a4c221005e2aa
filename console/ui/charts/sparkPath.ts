/** Rounds to tenths of a pixel: more digits only make the attribute longer. */
const r = (n: number) => Math.round(n * 10) / 10;

export interface SparkPath {
  line: string;
  area: string;
  /** The newest point, unless it wasn't measured. */
  end: { x: number; y: number } | null;
}

/** Returns SVG paths for a row of values on a zero baseline; gaps break the line. */
export function sparkPath(
  values: readonly (number | null)[],
  width: number,
  height: number,
  max?: number,
): SparkPath {
  const top = Math.max(max ?? 0, ...values.map((value) => value ?? 0)) || 1;
  const inset = 2;
  const step = values.length > 1 ? (width - inset * 2) / (values.length - 1) : 0;
  const y = (value: number) => r(height - inset - (Math.max(0, value) / top) * (height - inset * 2));
  let line = '';
  let area = '';
  let open = false;
  let x = inset;
  let end: SparkPath['end'] = null;
  values.forEach((value, i) => {
    const before = x;
    x = r(inset + i * step);
    end = value === null ? null : { x, y: y(value) };
    if (value === null) {
      if (open) area += `L${before} ${height}Z`;
      open = false;
      return;
    }
    line += `${open ? 'L' : 'M'}${x} ${y(value)}`;
    area += open ? `L${x} ${y(value)}` : `M${x} ${height}L${x} ${y(value)}`;
    open = true;
  });
  if (open) area += `L${x} ${height}Z`;
  return { line, area, end };
}
