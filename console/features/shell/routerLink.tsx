import type { AnyRouter } from '@tanstack/react-router';
import type { ComponentType, MouseEvent } from 'react';
import { isStaffAddress } from '../../lib/paths';
import type { LinkProps } from '../../ui/link';

/** Addresses that this app does not serve: the admin area is an app of its own, the rest is the server's. */
const ELSEWHERE = /^\/(admin(?!\/cvms\/[^/?#])|api|docs|openapi\.json|healthz|readyz|metrics)(\/|$|\?|#)/;

const PRELOAD_AFTER_MS = 50;

/**
 * A link through the router for all of console/ui: real addresses, modifiers and middle clicks as everywhere, the page
 * fetched when the pointer rests on it. Unlike the router's own Link it keeps no subscription, which tables feel.
 */
export function makeRouterLink(router: AnyRouter): ComponentType<LinkProps> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const preload = (href: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const url = new URL(href, location.origin);
      // A failed preload is no failure: the click asks again and shows it.
      void router
        .preloadRoute({ to: url.pathname, search: router.options.parseSearch?.(url.search) ?? {} })
        .catch(() => undefined);
    }, PRELOAD_AFTER_MS);
  };

  return function RouterLink({ href, onClick, onPointerEnter, onFocus, ...rest }: LinkProps) {
    // Between what staff see as staff and what they see as themselves lies a page load: nothing of either stays.
    const inside =
      href.startsWith('/') &&
      !ELSEWHERE.test(href) &&
      isStaffAddress(href) === isStaffAddress(location.pathname);
    const click = (event: MouseEvent<HTMLAnchorElement>) => {
      onClick?.(event);
      const plain =
        event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!inside || !plain || event.defaultPrevented || (rest.target ?? '_self') !== '_self') return;
      if (rest.download !== undefined) return;
      event.preventDefault();
      void router.navigate({ href });
    };
    return (
      <a
        {...rest}
        href={href}
        onClick={click}
        onPointerEnter={(event) => {
          onPointerEnter?.(event);
          if (inside) preload(href);
        }}
        onPointerLeave={(event) => {
          rest.onPointerLeave?.(event);
          clearTimeout(timer);
        }}
        onFocus={(event) => {
          onFocus?.(event);
          if (inside && event.target.matches(':focus-visible')) preload(href);
        }}
      />
    );
  };
}
