import { PUBLIC_PATHS } from '../lib/public/site';
import { isHidden } from '../lib/public/siteContent';
import keys from './keys.module.css';
import site from './site.module.css';
import { useSite } from './siteContext';

const KEYS = [
  { key: 'e', href: PUBLIC_PATHS.explorer, text: 'Explorer' },
  { key: 't', href: PUBLIC_PATHS.templates, text: 'Templates' },
  { key: 'u', href: PUBLIC_PATHS.cases, text: 'Use cases' },
  { key: 'g', href: PUBLIC_PATHS.gpu, text: 'GPUs' },
  { key: 'p', href: PUBLIC_PATHS.pricing, text: 'Pricing' },
  { key: 'a', href: PUBLIC_PATHS.about, text: 'About' },
];

/** The list of public pages' shortcuts; pageStart.js handles them. */
export function Keys({ home }: { home: string }) {
  const { hidden } = useSite();
  const keysOfPages = KEYS.filter(({ href }) => !isHidden(hidden, href));
  return (
    <div id="keys" popover="auto" role="dialog" aria-labelledby="keys-title" className={keys.list}>
      <h2 id="keys-title">Keyboard shortcuts</h2>
      <dl>
        {[{ key: 'h', href: PUBLIC_PATHS.home, text: home }, ...keysOfPages].map(({ key, href, text }) => (
          <div key={key}>
            <dt>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dt>
            <dd>
              <a href={href} data-key={key}>
                {text}
              </a>
            </dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>Show shortcuts</dd>
        </div>
      </dl>
      <label>
        <input type="checkbox" id="single-keys" defaultChecked /> Single-key shortcuts
      </label>
      <button type="button" className={`${site.button} ${site.small}`} popoverTarget="keys" autoFocus>
        Close
      </button>
    </div>
  );
}
