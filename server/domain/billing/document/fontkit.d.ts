declare module 'fontkit' {
  export interface Glyph {
    /** In font units. */
    readonly advanceWidth: number;
  }

  /** A parsed font. Its tables are decoded when they are first used, and kept. */
  export interface Font {
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(code: number): boolean;
    glyphForCodePoint(code: number): Glyph;
  }

  export function create(data: Uint8Array): Font;
}
