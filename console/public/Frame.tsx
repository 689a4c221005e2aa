import type { ReactNode } from 'react';
import { agentPath, PUBLIC_PATHS, type PageView } from '../lib/public/site';
import { Mark } from '../ui/brand/Mark';
import { Keys } from './Keys';
import site from './site.module.css';

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
  return (
    <>
      <a className={site.skip} href="#content">
        Skip to content
      </a>
      <header className={site.header}>
        <a className={site.brand} href={PUBLIC_PATHS.home}>
          <Mark size={26} />
          Teehouse
        </a>
        <nav className={site.nav} aria-label="Site">
          {NAV.map(({ href, text }) => (
            <a key={href} href={href} aria-current={href === view.path ? 'page' : undefined}>
              {text}
            </a>
          ))}
          {!view.signed_in && <a href="/login">Sign in</a>}
        </nav>
        <a className={`${site.button} ${site.small}`} href={view.signed_in ? PUBLIC_PATHS.home : '/register'}>
          {view.signed_in ? 'Open console' : 'Create an account'}
        </a>
      </header>
      <main id="content" className={site.main}>
        {children}
      </main>
      <footer className={site.footer}>
        <p>Teehouse runs Docker Compose apps in confidential VMs.</p>
        <a href={PUBLIC_PATHS.billing}>How billing works</a>
        <a href={PUBLIC_PATHS.mcp}>MCP hosting</a>
        <a href={agentPath(view.agent_framework)}>Agents</a>
        <a href={PUBLIC_PATHS.verify}>Verify it yourself</a>
        <a href="/docs/errors">Error codes</a>
        <button type="button" popoverTarget="keys">
          Keyboard shortcuts
        </button>
        {view.security_contact !== null && <a href={view.security_contact}>Report a vulnerability</a>}
      </footer>
      <Keys home={view.signed_in ? 'Open console' : 'Home'} />
    </>
  );
}
