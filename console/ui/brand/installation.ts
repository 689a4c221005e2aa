import { DEFAULT_BRAND, isHidden } from '../../lib/public/siteContent';

/*
 * The operator's public site settings, as far as the console and the admin area use them: docs/site.md. The server
 * writes them into the pages.
 */

const written = (): DOMStringMap => (typeof document === 'undefined' ? {} : document.documentElement.dataset);

/** Returns this installation's name. */
export const brandName = (): string => written().brand || DEFAULT_BRAND;

/** Whether the operator hides a public page, so that nothing should link to it. */
export const isPageHidden = (path: string): boolean =>
  isHidden((written().hidden ?? '').split(' ').filter(Boolean), path);

/** Returns this installation's name for the start of file names: "acme-sons". */
export const brandFileName = (): string =>
  brandName()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'console';
