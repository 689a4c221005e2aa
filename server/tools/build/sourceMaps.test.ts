import { SourceMap } from 'node:module';
import { expect, it } from 'vitest';
import { encode } from '@jridgewell/sourcemap-codec';
import { onePositionPerLine } from './sourceMaps';

it('keeps the source file and line of every line of the build', () => {
  const map = onePositionPerLine({
    version: 3,
    sources: ['server/main.ts', 'server/log.ts'],
    names: ['start', 'write'],
    mappings: encode([[], [[2], [4, 0, 10, 6, 0], [20, 0, 10, 30], [31, 1, 7, 2, 1]], [[0, 1, 8, 0]]]),
  });
  const payload = new SourceMap({ ...map, file: 'main.js', sourceRoot: '', sourcesContent: [] });

  expect(payload.findEntry(1, 25)).toMatchObject({ originalSource: 'server/main.ts', originalLine: 10 });
  expect(payload.findEntry(2, 4)).toMatchObject({ originalSource: 'server/log.ts', originalLine: 8 });
  expect(map.names).toEqual([]);
  expect(map).not.toHaveProperty('sourcesContent');
});
