import { createContext, useContext, type ReactNode } from 'react';
import { DEFAULT_SITE, isHidden, type SiteContent, type SiteText } from '../lib/public/siteContent';

interface Shown extends Pick<SiteContent, 'brand' | 'hidden' | 'support'> {
  /** Of this page. */
  text: SiteText;
  /** What a visitor must know of this server before reading this page. */
  notes: readonly string[];
  /** Whether this server can send mail. */
  has_mail: boolean;
  /** Whether the visitor is. */
  signed_in: boolean;
}

const { brand, hidden, support } = DEFAULT_SITE;

/** What the operator says, for every part of a page. Only the server renders with it, so islands don't read it. */
export const SiteContext = createContext<Shown>({
  brand,
  hidden,
  support,
  text: {},
  notes: [],
  has_mail: true,
  signed_in: false,
});

export const useSite = () => useContext(SiteContext);

interface PageLinkProps {
  href: string;
  className?: string | undefined;
  /** Whether the words stay when the page is hidden, as they must within a sentence. */
  isInSentence?: boolean;
  children: ReactNode;
}

/** A link to a public page; nothing while the operator hides that page. */
export function PageLink({ href, className, isInSentence = false, children }: PageLinkProps) {
  if (isHidden(useSite().hidden, href)) return isInSentence ? children : null;
  return (
    <a className={className} href={href}>
      {children}
    </a>
  );
}
