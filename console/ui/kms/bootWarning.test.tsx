import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { BootRisk } from '../../lib/kms/bootDecision';
import { BootWarning } from './BootWarning';

const HREF = '/acme/cvms/web/kms';
const risk = (name: string, decision: BootRisk['decision']): BootRisk => ({
  id: name,
  name,
  href: HREF,
  decision,
});
const refused = { state: 'refused', part: 'hash', reason: 'Compose hash not allowed' } as const;
const unknown = { state: 'unknown', reason: 'The RPC isn’t responding.' } as const;

const shown = (risks: BootRisk[], checking = false) =>
  renderToStaticMarkup(<BootWarning checking={checking} risks={risks} verb="restart" />);

it('warns of a restart that the contract refuses, with a link to its KMS tab', () => {
  const markup = shown([risk('web', refused)]);
  expect(markup).toContain('The contract refuses this boot.');
  expect(markup).toContain(
    'Its compose hash isn’t allowed, so it won’t restart. If it’s running, it keeps running.',
  );
  expect(markup).toContain(`href="${HREF}"`);
});

it('says if the contract can’t be read, and if it allows the boot', () => {
  const text = shown([risk('web', unknown)]);
  expect(text).toContain('The contract can’t be read.');
  expect(text).toContain('If the CVM is running, it keeps running.');
  expect(shown([], true)).toContain('Reading the app’s contract…');
  expect(shown([])).toContain('allows this boot');
});

it('names a few of several CVMs', () => {
  const markup = shown(Array.from({ length: 8 }, (_, i) => risk(`web-${i + 1}`, refused)));
  expect(markup).toContain('The contract refuses 8 boots.');
  expect(markup).toContain('web-5: ');
  expect(markup).not.toContain('web-6');
  expect(markup).toContain('3 other CVMs');
});
