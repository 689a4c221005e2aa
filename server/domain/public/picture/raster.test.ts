import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodePng } from './png';
import { Raster } from './raster';

const BLACK = [0, 0, 0] as const;
const WHITE = [255, 255, 255] as const;
const square = (size: number) => [
  { command: 'moveTo', args: [0, 0] },
  { command: 'lineTo', args: [size, 0] },
  { command: 'lineTo', args: [size, size] },
  { command: 'lineTo', args: [0, size] },
  { command: 'closePath', args: [] },
];
/** The red part of each pixel, row by row. */
const rows = ({ rgb, width, height }: Raster) =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_pixel, x) => rgb[(y * width + x) * 3] ?? -1),
  );

describe('filling an outline', () => {
  it('covers whole pixels fully and cut ones by their share', () => {
    const raster = new Raster(4, 3, WHITE);
    raster.fill(square(2), 0.5, 3, 1, BLACK);
    expect(rows(raster)).toEqual([
      [255, 255, 255, 255],
      [128, 0, 128, 255],
      [128, 0, 128, 255],
    ]);
  });

  it('leaves holes, which run the other way', () => {
    const raster = new Raster(3, 3, WHITE);
    const hole = [
      { command: 'moveTo', args: [1, 1] },
      { command: 'lineTo', args: [1, 2] },
      { command: 'lineTo', args: [2, 2] },
      { command: 'lineTo', args: [2, 1] },
      { command: 'closePath', args: [] },
    ];
    raster.fill([...square(3), ...hole], 0, 3, 1, BLACK);
    expect(rows(raster)).toEqual([
      [0, 0, 0],
      [0, 255, 0],
      [0, 0, 0],
    ]);
  });

  it('stays within the picture', () => {
    const raster = new Raster(2, 2, WHITE);
    raster.fill(square(100), -50, 50, 1, BLACK);
    expect(rows(raster)).toEqual([
      [0, 0],
      [0, 0],
    ]);
    raster.fill(square(5), 100, 100, 1, BLACK);
  });
});

it('a PNG has its size and its rows', () => {
  const raster = new Raster(2, 1, WHITE);
  raster.rectangle(1, 0, 1, 1, BLACK);
  const png = encodePng(raster);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2, 1]);
  const at = png.indexOf('IDAT');
  const data = png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4));
  expect([...inflateSync(data)]).toEqual([0, 255, 255, 255, 0, 0, 0]);
});
