import styled from '@emotion/styled';
import { useEffect, useRef, type PointerEvent, type KeyboardEvent, type ReactNode } from 'react';
import { focusRing, radius } from '../theme';
import {
  moveIndex,
  newest,
  rangeWords,
  readStep,
  type ChartFrame,
  type ChartLine,
  type ChartSpan,
} from './chart';
import { useChartSync, useCursor } from './ChartSync';
import { indexAt, type Box } from './scale';
import { selectedRange, stepAt, zoomRange } from './selection';
import { unitWords, type ChartUnit } from './units';

const Plot = styled('div')({
  height: '100%',
  borderRadius: radius.small,
  cursor: 'crosshair',
  // Moving a finger along the chart reads values; moving it up or down scrolls the page.
  touchAction: 'pan-y',
  userSelect: 'none',
  WebkitTouchCallout: 'none',
  '&:focus-visible': focusRing,
});

/** Shorter pointer moves count as a click. */
const DRAG_PX = 5;
/** Holding a finger this long starts a selection; moving it earlier reads values or scrolls. */
const HOLD_MS = 400;

interface Press {
  x: number;
  /** Start of the step where the gesture began. */
  at: number;
  /** Set as long as a finger may start a selection. */
  hold: ReturnType<typeof setTimeout> | undefined;
  /**
   * Whether the gesture only reads values until released, because the finger moved early or the selection was
   * canceled.
   */
  readsOnly: boolean;
}

interface Props {
  label: string;
  range: string;
  unit: ChartUnit;
  frame: ChartFrame;
  lines: readonly ChartLine[];
  gaps: readonly ChartSpan[];
  states: readonly ChartSpan[];
  box: Box;
  children: ReactNode;
}

/**
 * Handles pointer, touch and keyboard for reading values and selecting a range. Renders with the cursor; its
 * children don't.
 */
export function PlotHand({ label, range, unit, frame, lines, gaps, states, box, children }: Props) {
  const { cursor, onZoom } = useChartSync();
  const { at, anchor } = useCursor(cursor);
  const plot = useRef<HTMLDivElement>(null);
  const press = useRef<Press | null>(null);
  const { count } = frame;
  const hand = stepAt(at, frame) ?? newest(lines, count);
  const timeOf = (index: number) => frame.from + index * frame.step_ms;
  const selected = at !== null && anchor !== null ? selectedRange(anchor, at, frame) : null;

  const timeUnder = (clientX: number) => {
    const left = plot.current?.getBoundingClientRect().left ?? 0;
    return timeOf(indexAt(clientX - left, count, box));
  };
  const release = () => {
    clearTimeout(press.current?.hold);
    press.current = null;
  };
  const zoom = () => {
    const { at: end, anchor: begin } = cursor.get();
    const wanted = begin !== null && end !== null ? zoomRange(selectedRange(begin, end, frame), frame) : null;
    cursor.set({ at: end, anchor: null });
    if (wanted) onZoom?.(wanted);
  };
  // The pointer can be pressed without the chart having focus.
  useEffect(() => {
    const cancel = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || !press.current) return;
      clearTimeout(press.current.hold);
      press.current.readsOnly = true;
      cursor.set({ ...cursor.get(), anchor: null });
      event.stopPropagation();
    };
    document.addEventListener('keydown', cancel, { capture: true });
    return () => {
      document.removeEventListener('keydown', cancel, { capture: true });
      clearTimeout(press.current?.hold);
    };
  }, [cursor]);

  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    const under = timeUnder(event.clientX);
    cursor.set({ at: under, anchor: null });
    if (!onZoom || !event.isPrimary || event.button !== 0) return;
    const finger = event.pointerType === 'touch';
    // Captures a mouse that leaves the chart while dragging.
    if (!finger) event.currentTarget.setPointerCapture(event.pointerId);
    press.current = {
      x: event.clientX,
      at: under,
      readsOnly: false,
      hold: finger ? setTimeout(() => cursor.set({ at: under, anchor: under }), HOLD_MS) : undefined,
    };
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const one = press.current;
    const under = timeUnder(event.clientX);
    const selecting = cursor.get().anchor !== null;
    if (!one) {
      // A keyboard selection stays unchanged.
      if (!selecting) cursor.set({ at: under, anchor: null });
      return;
    }
    const moved = Math.abs(event.clientX - one.x) >= DRAG_PX;
    if (one.hold !== undefined && moved && !selecting) {
      clearTimeout(one.hold);
      one.readsOnly = true;
    }
    const extending = one.hold === undefined ? moved : selecting;
    cursor.set({ at: under, anchor: extending && !one.readsOnly ? one.at : null });
  };
  const onPointerUp = (event: PointerEvent<HTMLDivElement>) => {
    const one = press.current;
    release();
    if (!one) return;
    // A finger that was held and lifted without moving has selected nothing.
    if (Math.abs(event.clientX - one.x) >= DRAG_PX) zoom();
    else cursor.set({ ...cursor.get(), anchor: null });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key === 'Escape') {
      cursor.set(anchor === null ? { at: null, anchor: null } : { at, anchor: null });
      return;
    }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' && anchor !== null) {
      event.preventDefault();
      zoom();
      return;
    }
    const next = moveIndex(event.key, hand, count);
    if (next === null) return;
    event.preventDefault();
    const extending = event.shiftKey && onZoom !== null;
    cursor.set({ at: timeOf(next), anchor: extending ? (anchor ?? timeOf(hand)) : null });
  };
  const nothing = () => {
    if (press.current === null) cursor.set({ at: null, anchor: null });
  };

  const keys = onZoom
    ? 'arrow keys read the values, Shift and arrow keys select a time range, Enter zooms in'
    : 'arrow keys read the values';
  const read = readStep(hand, frame, lines, unit, { gaps, states });
  return (
    <Plot
      ref={plot}
      role="slider"
      tabIndex={0}
      aria-label={`${label} in ${unitWords[unit]}, ${range}: ${keys}`}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, count - 1)}
      aria-valuenow={hand}
      aria-valuetext={selected ? `${rangeWords(selected)} selected. ${read}` : read}
      onPointerMove={onPointerMove}
      onPointerDown={onPointerDown}
      onPointerUp={onPointerUp}
      onPointerLeave={() => cursor.get().anchor === null && nothing()}
      onPointerCancel={() => {
        release();
        nothing();
      }}
      onContextMenu={(event) => press.current?.hold !== undefined && event.preventDefault()}
      onFocus={(event) =>
        event.currentTarget.matches(':focus-visible') && cursor.set({ at: timeOf(hand), anchor: null })
      }
      onBlur={nothing}
      onKeyDown={onKeyDown}
    >
      {children}
    </Plot>
  );
}
