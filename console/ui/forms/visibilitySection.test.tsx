import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { VisibilitySection } from './VisibilitySection';

const textOn = (host: 'tee' | 'local' | 'either') =>
  renderToStaticMarkup(
    <VisibilitySection
      value={{ public_logs: false, public_sysinfo: false, public_tcbinfo: true }}
      onChange={() => undefined}
      host={host}
    />,
  ).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ');

const STAYS_INSIDE = 'container logs stay inside the CVM';
const IS_READ = /your team and the machine’s operator can read them/g;

it('names who can read what isn’t public on the hosts where the CVM may run', () => {
  expect(textOn('tee')).toContain(STAYS_INSIDE);
  expect(textOn('tee')).not.toMatch(IS_READ);
  expect(textOn('local')).not.toContain(STAYS_INSIDE);
  // Logs and system information.
  expect(textOn('local').match(IS_READ)).toHaveLength(2);
  expect(textOn('either')).toContain(STAYS_INSIDE);
  expect(textOn('either').match(IS_READ)).toHaveLength(2);
});
