import { PUBLIC_PATHS } from '../../lib/public/site';
import { Hero } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

export function NotFoundPage() {
  return (
    <Hero
      title="Page not found"
      lead="This address doesn’t exist. The page may have moved, or the link may be mistyped."
    >
      <a className={site.button} href={PUBLIC_PATHS.home}>
        Home page
      </a>
      <PageLink className={site.quiet} href={PUBLIC_PATHS.explorer}>
        Explorer
      </PageLink>
      <PageLink className={site.quiet} href={PUBLIC_PATHS.templates}>
        Templates
      </PageLink>
    </Hero>
  );
}
