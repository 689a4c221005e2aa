export const WIDTHS = [358, 640, 960] as const;

/** Search parameters of every preview. */
export interface PreviewSearch {
  state?: string | undefined;
  width?: string | undefined;
}

export function previewSearch({ state, width }: Record<string, unknown>): PreviewSearch {
  return {
    state: typeof state === 'string' && state !== '' ? state.slice(0, 60) : undefined,
    width: WIDTHS.map(String).find((one) => one === width),
  };
}
