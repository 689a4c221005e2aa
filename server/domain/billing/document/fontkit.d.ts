declare module 'fontkit' {
  export interface Glyph {
    /** In font units. */
    readonly advanceWidth: number;
  }

  /** A parsed font. Tables are decoded on first use, and cached. */
  export interface Font {
    readonly postscriptName: string;
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(code: number): boolean;
    glyphForCodePoint(code: number): Glyph;
  }

  export function create(data: Uint8Array): Font;
}
