import type { MouseEvent } from 'react';
import { useNavigate } from 'react-admin';
import { isStaffAddress } from '../../console/lib/paths';
import type { LinkProps } from '../../console/ui/link';
import { BASE, toInternal } from '../paths';

/** The pages of a CVM are at addresses of this area, and the console's. */
const isInside = (href: string) =>
  !isStaffAddress(href) && (href === BASE || href.startsWith(`${BASE}/`) || href.startsWith(`${BASE}?`));

/** Links of console/ui: published addresses inside the admin area go through its router, the rest are the browser's. */
export function RouterLink({ href, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isInside(href) || !plain || event.defaultPrevented || (rest.target ?? '_self') !== '_self') return;
    event.preventDefault();
    navigate(internalOf(href));
  };
  return <a {...rest} href={href} onClick={click} />;
}

/** "/admin/infra/nodes?page=2" → "/nodes?page=2", what the router navigates to. */
export function internalOf(href: string): string {
  const rest = href.slice(BASE.length);
  const end = rest.search(/[?#]/);
  const path = end === -1 ? rest : rest.slice(0, end);
  return (toInternal(path) || '/') + (end === -1 ? '' : rest.slice(end));
}
