import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router';
import { isStaffAddress } from '../../console/lib/paths';
import type { LinkProps } from '../../console/ui/link';
import { BASE, toInternal } from '../paths';

/** CVM pages have /admin addresses but belong to the console. */
const isInside = (href: string) =>
  !isStaffAddress(href) && (href === BASE || href.startsWith(`${BASE}/`) || href.startsWith(`${BASE}?`));

/** Link component for console/ui: admin addresses go through the router, others through the browser. */
export function RouterLink({ href, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isInside(href) || !plain || event.defaultPrevented || (rest.target ?? '_self') !== '_self') return;
    event.preventDefault();
    const path = href.slice(BASE.length);
    void navigate(path.startsWith('/') ? path : `/${path}`);
  };
  return <a {...rest} href={href} onClick={click} />;
}

/** Converts "/admin/infra/nodes?page=2" to the router's "/nodes?page=2". */
export function internalOf(href: string): string {
  const rest = href.slice(BASE.length);
  const end = rest.search(/[?#]/);
  const path = end === -1 ? rest : rest.slice(0, end);
  return (toInternal(path) || '/') + (end === -1 ? '' : rest.slice(end));
}
