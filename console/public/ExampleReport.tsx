import { checkTitle, USUAL_CHECKS } from '../lib/attestation/checks';
import type { CheckId } from '../lib/attestation/types';
import { lookOf, STATES } from '../ui/attestation/checkDisplay';
import hero from './hero.module.css';

/** From the chip up to the app. */
const SHOWN: readonly CheckId[] = [
  'quote.signature',
  'revocation',
  'tcb.status',
  'os.known',
  'compose.hash',
  'kms.root',
  'report_data',
];

/** An example report, in the verifier's own words, labeled as an example. */
export function ExampleReport() {
  const verdict = STATES.verified;
  const passed = lookOf('passed', false);
  return (
    <figure className={hero.report}>
      <p className={hero.app}>
        <strong>price-oracle</strong> <span className={hero.example}>Example</span>
      </p>
      <p className={hero.verdict}>
        <Check /> {verdict.word}
      </p>
      <ul className={hero.checks}>
        {SHOWN.map((id) => (
          <li key={id}>
            <span>{checkTitle(id)}</span>
            <span className={hero.state}>
              <Check /> {passed.word}
            </span>
          </li>
        ))}
      </ul>
      <figcaption>
        Part of an example report. A real one lists {USUAL_CHECKS} checks with their reasons, and runs in your
        browser.
      </figcaption>
    </figure>
  );
}

const Check = () => (
  <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
    <path d="M2 7.5 5.5 11 12 3.5" fill="none" stroke="currentColor" strokeWidth="2" />
  </svg>
);
