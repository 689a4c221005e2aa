import type { ReactNode } from 'react';
import { appPagePath, type ExplorerChosen, type ExplorerList, PUBLIC_PATHS } from '../../lib/public/site';
import { Day, Hero, Section, TrustChip } from '../parts';
import { PageLink } from '../siteContext';
import site from '../site.module.css';

const KMS = {
  phala: 'The platform’s',
  ethereum: 'Ethereum',
  base: 'Base',
  legacy: 'Legacy',
} satisfies Record<NonNullable<ExplorerChosen['kms']>, string>;

/** Returns the query as in the address, without empty values. */
const queryOf = ({ q, chosen, next }: ExplorerList) =>
  new URLSearchParams(
    Object.entries({
      q,
      trust: chosen.trust ?? '',
      os: chosen.os_image ?? '',
      kms: chosen.kms ?? '',
      gpu: chosen.gpu ? '1' : '',
      after: next ?? '',
    }).filter(([, value]) => value !== ''),
  ).toString();

export function ExplorerPage({ list }: { list: ExplorerList }) {
  const { apps, q, chosen, next } = list;
  const { trust, os_image, kms, gpu } = chosen;
  const filtered = q !== '' || trust !== null || os_image !== null || kms !== null || gpu;
  return (
    <>
      <Hero
        title="Explorer"
        lead="Apps published by their teams. Open one to see what runs and verify it in your own browser."
      />
      <Section
        title="Published apps"
        lead="Most recently changed first. Search covers names and app IDs, not images, hashes or publishers."
      >
        <Filters list={list} />
        {apps.length === 0 ? (
          <Nothing isFiltered={filtered} />
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
            <a href={`${PUBLIC_PATHS.explorer}?${queryOf(list)}`}>Next page</a>
          </p>
        )}
      </Section>
    </>
  );
}

const SHOWN = [
  'Its services and images with their digests, and the Compose file that was measured',
  'The guest OS image, the key service, and who can change the app',
  'Every check by name, run in the visitor’s browser on the guest’s current or last evidence',
  'Each earlier version with its date and changes, as a list and as a feed',
  'The evidence as one file, to verify without this server',
];

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <p>
        No published app matches. Search covers names and app IDs only.{' '}
        <a href={PUBLIC_PATHS.explorer}>Show all</a>
      </p>
    );
  return (
    <div className={site.prose}>
      <p>
        No apps published yet. Teams publish an app in a CVM’s settings, after previewing what becomes public.
        The app’s page then shows:
      </p>
      <ul>
        {SHOWN.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      <p>
        <PageLink href={PUBLIC_PATHS.about}>How verification works</PageLink>
      </p>
      <p>
        <PageLink href={PUBLIC_PATHS.verify}>Verify an evidence file yourself</PageLink>
      </p>
      <p>
        <a href="/launch">Launch an app to publish</a>
      </p>
    </div>
  );
}

/** A form that works without scripts: the address is the state. */
function Filters({ list: { q, chosen, choices } }: { list: ExplorerList }) {
  // Keeps the selected image in the list, so that the form shows why nothing matches.
  const images = [...new Set([...choices.os_images, ...(chosen.os_image === null ? [] : [chosen.os_image])])];
  return (
    <form className={`${site.form} ${site.filters}`} method="get" role="search">
      <label>
        Search
        <input type="search" name="q" defaultValue={q} maxLength={100} placeholder="Name or app ID" />
      </label>
      <Choice label="Host" name="trust" chosen={chosen.trust}>
        <option value="hardware">TEE hardware</option>
        <option value="simulated">Simulated</option>
      </Choice>
      <Choice label="OS image" name="os" chosen={chosen.os_image}>
        {images.map((image) => (
          <option key={image} value={image}>
            {image}
          </option>
        ))}
      </Choice>
      <Choice label="Key service" name="kms" chosen={chosen.kms}>
        {choices.kms_types.map((type) => (
          <option key={type} value={type}>
            {KMS[type]}
          </option>
        ))}
      </Choice>
      <Choice label="GPU" name="gpu" chosen={chosen.gpu ? '1' : null}>
        <option value="1">With a GPU</option>
      </Choice>
      <button type="submit" className={site.quiet}>
        Search
      </button>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  chosen: string | null;
  children: ReactNode;
}

function Choice({ label, name, chosen, children }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name} defaultValue={chosen ?? ''}>
        <option value="">Any</option>
        {children}
      </select>
    </label>
  );
}
