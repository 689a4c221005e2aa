import type { AnyRouter } from '@tanstack/react-router';
import type { ComponentType, MouseEvent } from 'react';
import { isStaffAddress } from '../lib/paths';
import type { LinkProps } from '../ui/link';

/** Addresses outside this app: the admin area is a separate app, others belong to the server. */
const ELSEWHERE = /^\/(admin(?!\/cvms\/[^/?#])|api|docs|openapi\.json|healthz|readyz|metrics)(\/|$|\?|#)/;

const PRELOAD_AFTER_MS = 50;

/**
 * Router link for all of console/ui: real addresses, modifier and middle clicks, preloading on hover. Unlike the
 * router's own Link it holds no subscription, which matters in long tables.
 */
export function makeRouterLink(router: AnyRouter): ComponentType<LinkProps> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const preload = (href: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const url = new URL(href, location.origin);
      // A failed preload is harmless: the click retries and shows the error.
      void router
        .preloadRoute({ to: url.pathname, search: router.options.parseSearch?.(url.search) ?? {} })
        .catch(() => undefined);
    }, PRELOAD_AFTER_MS);
  };

  return function RouterLink({ href, onClick, onPointerEnter, onFocus, ...rest }: LinkProps) {
    // Switching between the staff view and the user's own view reloads the page, so neither keeps the other's data.
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
