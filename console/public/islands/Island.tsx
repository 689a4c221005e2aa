import type { ComponentProps, ReactNode } from 'react';
import type { islands } from './islands';

type Islands = typeof islands;
type PropsOf<N extends keyof Islands> = ComponentProps<Awaited<ReturnType<Islands[N]>>>;

/** A part of a page that `client.ts` hydrates, with the props it was rendered with. */
export function Island<N extends keyof Islands>({
  name,
  props,
  isInline = false,
  children,
}: {
  name: N;
  props: PropsOf<N>;
  /** Whether it is inside a line of text. */
  isInline?: boolean;
  children: ReactNode;
}) {
  const Root = isInline ? 'span' : 'div';
  return (
    <Root data-island={name} data-props={JSON.stringify(props)}>
      {children}
    </Root>
  );
}
