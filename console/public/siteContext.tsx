import { createContext, useContext, type ReactNode } from 'react';
import { DEFAULT_SITE, isHidden, type SiteContent, type SiteText } from '../lib/public/siteContent';

interface Shown extends Pick<SiteContent, 'brand' | 'hidden' | 'support'> {
  /** The operator's texts for this page. */
  text: SiteText;
  /** Facts about this server to show before this page's content. */
  notes: readonly string[];
  /** Whether this server can send mail. */
  has_mail: boolean;
  /** Whether the visitor is signed in. */
  signed_in: boolean;
  /** Whether visitors can create an account without an invitation. */
  can_register: boolean;
}

const { brand, hidden, support } = DEFAULT_SITE;

/** The operator's content, for every part of a page. Only server rendering provides it, so islands don't use it. */
export const SiteContext = createContext<Shown>({
  brand,
  hidden,
  support,
  text: {},
  notes: [],
  has_mail: true,
  signed_in: false,
  can_register: true,
});

export const useSite = () => useContext(SiteContext);

/** What visitors without a session are invited to do. */
export const entryOf = (can_register: boolean): { href: string; text: string } =>
  can_register ? { href: '/register', text: 'Create an account' } : { href: '/login', text: 'Sign in' };

interface PageLinkProps {
  href: string;
  className?: string | undefined;
  /** Whether the text stays if the target page is hidden, as needed within a sentence. */
  isInSentence?: boolean;
  children: ReactNode;
}

/** A link to a public page; renders nothing if the operator hides that page. */
export function PageLink({ href, className, isInSentence = false, children }: PageLinkProps) {
  if (isHidden(useSite().hidden, href)) return isInSentence ? children : null;
  return (
    <a className={className} href={href}>
      {children}
    </a>
  );
}
