/** Fills outlines of glyphs and rectangles into an RGB picture, with smooth edges. */

export type Color = readonly [red: number, green: number, blue: number];

/** An outline as fontkit returns it, in font units with the y-axis up. */
interface PathCommand {
  command: string;
  args: number[];
}

/** Lines that stand for a curve: enough at the sizes used here. */
const STEPS = 8;

export class Raster {
  readonly rgb: Uint8Array;

  constructor(
    readonly width: number,
    readonly height: number,
    background: Color,
  ) {
    this.rgb = new Uint8Array(width * height * 3);
    for (let at = 0; at < this.rgb.length; at += 3) this.rgb.set(background, at);
  }

  rectangle(x: number, y: number, width: number, height: number, color: Color): void {
    for (let row = y; row < y + height; row++)
      for (let column = x; column < x + width; column++) this.mix(column, row, color, 1);
  }

  /** Fills outlines whose origin is at `x`, with the baseline at `y`. */
  fill(commands: readonly PathCommand[], x: number, y: number, scale: number, color: Color): void {
    const lines = linesOf(commands, (fx, fy) => [x + fx * scale, y - fy * scale]);
    if (lines.length === 0) return;
    const ys = lines.flatMap(([, y0, , y1]) => [y0, y1]);
    const top = Math.max(0, Math.floor(Math.min(...ys)));
    const bottom = Math.min(this.height, Math.ceil(Math.max(...ys)));
    if (bottom <= top) return;
    const coverage = new Coverage(this.width, bottom - top);
    for (const [x0, y0, x1, y1] of lines) coverage.line(x0, y0 - top, x1, y1 - top);
    coverage.each((column, row, share) => this.mix(column, row + top, color, share));
  }

  private mix(x: number, y: number, color: Color, share: number): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = (y * this.width + x) * 3;
    for (let part = 0; part < 3; part++) {
      const old = this.rgb[at + part] ?? 0;
      this.rgb[at + part] = Math.round(old + ((color[part] ?? 0) - old) * share);
    }
  }
}

type Line = [x0: number, y0: number, x1: number, y1: number];

function linesOf(
  commands: readonly PathCommand[],
  place: (x: number, y: number) => [number, number],
): Line[] {
  const lines: Line[] = [];
  let start: [number, number] = [0, 0];
  let at: [number, number] = [0, 0];
  const to = (next: [number, number]) => {
    lines.push([...at, ...next]);
    at = next;
  };
  for (const { command, args } of commands) {
    const points: [number, number][] = [];
    for (let index = 0; index + 1 < args.length; index += 2)
      points.push(place(args[index] ?? 0, args[index + 1] ?? 0));
    const end = points.at(-1);
    if (command === 'closePath') to(start);
    else if (end === undefined) continue;
    else if (command === 'moveTo') at = start = end;
    else if (command === 'lineTo') to(end);
    else {
      const curve = [at, ...points];
      for (let step = 1; step <= STEPS; step++) to(onCurve(curve, step / STEPS));
    }
  }
  return lines;
}

/** A point of a Bézier curve of any degree (de Casteljau). */
function onCurve(points: readonly [number, number][], share: number): [number, number] {
  let left = [...points];
  while (left.length > 1)
    left = left.slice(1).map(([x, y], index): [number, number] => {
      const [px, py] = left[index] ?? [x, y];
      return [px + (x - px) * share, py + (y - py) * share];
    });
  return left[0] ?? [0, 0];
}

/** How much of each pixel lies inside closed outlines: each line adds the signed area to its right, summed row by row. */
class Coverage {
  private readonly areas: Float32Array;
  private readonly stride: number;

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    this.stride = width + 2;
    this.areas = new Float32Array(this.stride * height);
  }

  line(fromX: number, fromY: number, toX: number, toY: number): void {
    if (fromY === toY) return;
    const direction = fromY < toY ? 1 : -1;
    const [x0, y0, x1, y1] = direction === 1 ? [fromX, fromY, toX, toY] : [toX, toY, fromX, fromY];
    const slope = (x1 - x0) / (y1 - y0);
    for (let row = Math.max(0, Math.floor(y0)); row < Math.min(this.height, Math.ceil(y1)); row++) {
      const top = Math.max(row, y0);
      const bottom = Math.min(row + 1, y1);
      if (bottom <= top) continue;
      const xs = [x0 + (top - y0) * slope, x0 + (bottom - y0) * slope].map((x) =>
        Math.min(this.width, Math.max(0, x)),
      );
      this.row(row, Math.min(...xs), Math.max(...xs), (bottom - top) * direction);
    }
  }

  /** Adds a line that crosses `height` of a row between two columns. */
  private row(row: number, left: number, right: number, height: number): void {
    /** The share of the line that lies left of `x`. */
    const shareAt = (x: number) => (right === left ? Number(x >= right) : (x - left) / (right - left));
    let before = 0;
    for (let column = Math.floor(left); column <= Math.floor(right) + 1; column++) {
      const start = Math.min(right, Math.max(column, left));
      const end = Math.max(start, Math.min(column + 1, right));
      const area =
        column > right
          ? 1
          : ((shareAt(start) + shareAt(end)) / 2) * (end - start) + shareAt(end) * (column + 1 - end);
      this.add(row * this.stride + column, height * (area - before));
      before = area;
    }
  }

  private add(at: number, area: number): void {
    this.areas[at] = (this.areas[at] ?? 0) + area;
  }

  each(visit: (column: number, row: number, share: number) => void): void {
    for (let row = 0; row < this.height; row++) {
      let sum = 0;
      for (let column = 0; column < this.width; column++) {
        sum += this.areas[row * this.stride + column] ?? 0;
        const share = Math.min(1, Math.abs(sum));
        if (share > 0.003) visit(column, row, share);
      }
    }
  }
}
