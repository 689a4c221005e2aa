import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** A source map (ECMA-426) as bundlers write it. */
export interface SourceMapFile {
  version: number;
  sources: string[];
  names: string[];
  mappings: string;
}

/**
 * Reduces the source maps in a folder to one position per line, without names and sources. A process started with
 * `--enable-source-maps` decodes the whole map of the server at its first stack trace and keeps it: complete, it takes
 * 70 MB and blocks for 0.4 s. The server isn't minified, so a line is enough to find the source.
 */
export async function reduceSourceMaps(dir: string): Promise<void> {
  for (const file of await readdir(dir, { recursive: true })) {
    if (!file.endsWith('.js.map')) continue;
    const full = path.join(dir, file);
    const map = JSON.parse(await readFile(full, 'utf8')) as SourceMapFile;
    await writeFile(full, JSON.stringify(onePositionPerLine(map)));
  }
}

export const onePositionPerLine = ({ version, sources, mappings }: SourceMapFile): SourceMapFile => ({
  version,
  sources,
  names: [],
  mappings: encode(decode(mappings).map(firstPosition)),
});

/** The line's first segment with a source, moved to the start of the line. */
function firstPosition(line: SourceMapSegment[]): SourceMapSegment[] {
  for (const [, source, sourceLine, sourceColumn] of line)
    if (source !== undefined && sourceLine !== undefined && sourceColumn !== undefined)
      return [[0, source, sourceLine, sourceColumn]];
  return [];
}
