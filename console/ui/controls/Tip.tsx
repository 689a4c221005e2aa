import styled from '@emotion/styled';
import { cloneElement, useId, useRef, type ReactElement, type HTMLAttributes } from 'react';
import { color, radius, space, type } from '../theme';

const Bubble = styled('span')({
  ...type.caption,
  position: 'fixed',
  inset: 'auto',
  margin: 0,
  border: 0,
  padding: `${space(1)} ${space(2)}`,
  maxWidth: 280,
  borderRadius: radius.small,
  backgroundColor: color.text,
  color: color.surface,
  fontWeight: 500,
  pointerEvents: 'none',
  overflowWrap: 'anywhere',
});

/** A wrapper without its own box in the layout. */
const Around = styled('span')({ display: 'contents' });

const gap = 6;
const edge = 8;

function place(target: Element, bubble: HTMLElement) {
  const at = target.getBoundingClientRect();
  const { width, height } = bubble.getBoundingClientRect();
  const above = at.bottom + gap + height > innerHeight - edge;
  bubble.style.top = `${above ? at.top - gap - height : at.bottom + gap}px`;
  bubble.style.left = `${Math.max(edge, Math.min(at.left + at.width / 2 - width / 2, innerWidth - width - edge))}px`;
}

/**
 * A short tooltip on hover and keyboard focus, in the browser's top layer (so that nothing clips it). It repeats or
 * supplements the accessible name, and is never the only place for information. Without a text there is no tooltip, but
 * the child stays in its place: an element that moves is replaced and loses the focus.
 */
export function Tip({
  text,
  children,
}: {
  text: string | undefined;
  children: ReactElement<HTMLAttributes<HTMLElement>>;
}) {
  const bubble = useRef<HTMLSpanElement>(null);
  const around = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();

  const show = (delay: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const target = around.current?.firstElementChild;
      const tip = bubble.current;
      if (!target || !tip?.isConnected || !tip.showPopover) return;
      tip.showPopover();
      place(target, tip);
    }, delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    if (bubble.current?.matches(':popover-open')) bubble.current.hidePopover();
  };

  return (
    <Around
      ref={around}
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(350)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(0)}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {cloneElement(children, {
        'aria-describedby':
          children.props['aria-describedby'] ??
          (text === undefined || children.props['aria-label'] === text ? undefined : id),
      })}
      {text !== undefined && (
        <Bubble ref={bubble} popover="manual" role="tooltip" id={id}>
          {text}
        </Bubble>
      )}
    </Around>
  );
}
