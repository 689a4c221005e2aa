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
  // A finger that moves along the chart reads it; one that moves up or down scrolls the page.
  touchAction: 'pan-y',
  userSelect: 'none',
  WebkitTouchCallout: 'none',
  '&:focus-visible': focusRing,
});

/** Shorter moves of a pressed pointer are a click. */
const DRAG_PX = 5;
/** A finger held this long selects; one that moves earlier reads, or scrolls. */
const HOLD_MS = 400;

interface Press {
  x: number;
  /** Start of the step where it began. */
  at: number;
  /** Set while a finger may still become a selection. */
  hold: ReturnType<typeof setTimeout> | undefined;
  /** Reads until it is released: a finger that moved early, or a canceled selection. */
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

/** Where pointer, finger and keys read a chart and select a range of it. Renders with the cursor; its children don't. */
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
  // A pressed pointer doesn't have to have focus here.
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
    // A mouse that leaves the chart while it drags stays its pointer.
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
      // A selection by keyboard stays as it is.
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
    // A finger that was held and lifted where it was has selected nothing.
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
