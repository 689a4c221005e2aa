import type { ChartFrame } from './chart';
import { useChartSync } from './ChartSync';

/**
 * Returns handlers for an element with a time: while it is hovered over or focused, the charts show their values
 * then.
 */
export function usePointing({ from, step_ms }: ChartFrame) {
  const { cursor } = useChartSync();
  const leave = () => cursor.set({ at: null, anchor: null });
  return (at: number) => {
    const point = () => cursor.set({ at: from + Math.floor((at - from) / step_ms) * step_ms, anchor: null });
    return { onPointerEnter: point, onPointerLeave: leave, onFocus: point, onBlur: leave };
  };
}
