import type { PublicApp, PublicTrust } from '../../../generated/api/types.gen';
import { appPagePath, PUBLIC_PATHS } from '../../lib/public/site';
import { Day, Hero, Section, TrustChip } from '../parts';
import site from '../site.module.css';

interface ExplorerPageProps {
  apps: PublicApp[];
  q: string;
  trust: PublicTrust | null;
  /** Cursor of the next page. */
  next: string | null;
}

export function ExplorerPage({ apps, q, trust, next }: ExplorerPageProps) {
  const filtered = q !== '' || trust !== null;
  const query = new URLSearchParams({
    ...(q === '' ? {} : { q }),
    ...(trust === null ? {} : { trust }),
    ...(next === null ? {} : { after: next }),
  });
  return (
    <>
      <Hero
        title="Explorer"
        lead="Apps whose teams published them. Open one to see what runs and verify it in your own browser."
      />
      <Section title="Published apps">
        <form className={site.form} method="get" role="search">
          <label>
            Search
            <input type="search" name="q" defaultValue={q} maxLength={100} placeholder="Name or app ID" />
          </label>
          <label>
            Host
            <select name="trust" defaultValue={trust ?? ''}>
              <option value="">Any</option>
              <option value="hardware">TEE hardware</option>
              <option value="simulated">Simulated</option>
            </select>
          </label>
          <button type="submit" className={site.quiet}>
            Search
          </button>
        </form>
        {apps.length === 0 ? (
          <p>
            {filtered
              ? 'No published app matches.'
              : 'No app is published yet. Teams publish theirs under Settings of a CVM.'}
          </p>
        ) : (
          <ul className={site.grid}>
            {apps.map((app) => (
              <li key={app.app_id} className={site.card}>
                <h3>
                  <a href={appPagePath(app.app_id)}>{app.name}</a>
                </h3>
                <p>
                  by {app.team_name} · {app.running_count} of {app.cvm_count} running · changed{' '}
                  <Day at={app.changed_at} />
                </p>
                <TrustChip trust={app.trust} />
              </li>
            ))}
          </ul>
        )}
        {next !== null && (
          <p>
            <a href={`${PUBLIC_PATHS.explorer}?${query.toString()}`}>Next page</a>
          </p>
        )}
      </Section>
    </>
  );
}
