import { DEFAULT_BRAND, isHidden } from '../../lib/public/siteContent';

/*
 * What the operator says about the public site, as far as the console and the admin area show it: docs/site.md. The
 * server writes it into their pages.
 */

const written = (): DOMStringMap => (typeof document === 'undefined' ? {} : document.documentElement.dataset);

/** Returns the name of this installation. */
export const brandName = (): string => written().brand || DEFAULT_BRAND;

/** Whether the operator hides a public page, so that nothing should link to it. */
export const isPageHidden = (path: string): boolean =>
  isHidden((written().hidden ?? '').split(' ').filter(Boolean), path);
