import type { ReactNode } from 'react';
import { agentPath, PUBLIC_PATHS, type PageView } from '../lib/public/site';
import { isHidden, sitePagePath } from '../lib/public/siteContent';
import { Mark } from '../ui/brand/Mark';
import { Keys } from './Keys';
import frame from './frame.module.css';
import site from './site.module.css';
import { entryOf, PageLink } from './siteContext';

const NAV = [
  { href: PUBLIC_PATHS.about, text: 'About' },
  { href: PUBLIC_PATHS.explorer, text: 'Explorer' },
  { href: PUBLIC_PATHS.templates, text: 'Templates' },
  { href: PUBLIC_PATHS.cases, text: 'Use cases' },
  { href: PUBLIC_PATHS.gpu, text: 'GPUs' },
  { href: PUBLIC_PATHS.pricing, text: 'Pricing' },
  { href: '/docs/', text: 'API' },
];

/** Header, page and footer of a public page. */
export function Frame({ view, children }: { view: PageView; children: ReactNode }) {
  const { brand, tagline, support, links, hidden, pages } = view.site;
  const entry = view.signed_in
    ? { href: PUBLIC_PATHS.home, text: 'Open console' }
    : entryOf(view.can_register);
  return (
    <>
      <a className={frame.skip} href="#content">
        Skip to content
      </a>
      <header className={frame.header}>
        <a className={frame.brand} href={PUBLIC_PATHS.home}>
          <Mark size={26} />
          {brand}
        </a>
        <nav className={frame.nav} aria-label="Site">
          {NAV.filter(({ href }) => !isHidden(hidden, href)).map(({ href, text }) => (
            <a key={href} href={href} aria-current={href === view.path ? 'page' : undefined}>
              {text}
            </a>
          ))}
          {!view.signed_in && view.can_register && <a href="/login">Sign in</a>}
        </nav>
        <a className={`${site.button} ${site.small}`} href={entry.href}>
          {entry.text}
        </a>
      </header>
      <main id="content" className={site.main}>
        {children}
      </main>
      <footer className={frame.footer}>
        <p>{tagline}</p>
        <div className={frame.links}>
          <PageLink href={PUBLIC_PATHS.billing}>How billing works</PageLink>
          <PageLink href={PUBLIC_PATHS.mcp}>MCP hosting</PageLink>
          <PageLink href={agentPath(view.agent_framework)}>Agents</PageLink>
          <PageLink href={PUBLIC_PATHS.verify}>Verify it yourself</PageLink>
          <a href="/docs/errors">Error codes</a>
          <button type="button" popoverTarget="keys">
            Keyboard shortcuts
          </button>
          {pages.map(({ slug, title }) => (
            <a key={slug} href={sitePagePath(slug)}>
              {title}
            </a>
          ))}
          {links.map(({ href, text }) => (
            <a key={`${text} ${href}`} href={href}>
              {text}
            </a>
          ))}
          {support !== null && <a href={support}>Support</a>}
          {view.security_contact !== null && <a href={view.security_contact}>Report a vulnerability</a>}
        </div>
      </footer>
      <Keys home={view.signed_in ? 'Open console' : 'Home'} />
    </>
  );
}
