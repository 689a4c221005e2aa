declare module 'fontkit' {
  /** A parsed font. Its tables are decoded when they are first used, and kept. */
  export interface Font {
    readonly postscriptName: string;
  }

  export function create(data: Uint8Array): Font;
}
