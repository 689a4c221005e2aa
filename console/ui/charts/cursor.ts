/** The time at which the charts of a grid show values, and the range being selected. Times are ms since 1970. */
export interface CursorState {
  /** Start of the step being read. */
  at: number | null;
  /** Start of the step where a selection began; it reaches to `at`. */
  anchor: number | null;
}

/** Kept outside React state, so that a moving pointer renders crosshairs and readings but no charts. */
export interface ChartCursor {
  get: () => CursorState;
  set: (next: CursorState) => void;
  subscribe: (listener: () => void) => () => void;
}

const NOTHING: CursorState = { at: null, anchor: null };

export function createCursor(): ChartCursor {
  let state = NOTHING;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    set(next) {
      if (next.at === state.at && next.anchor === state.anchor) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
