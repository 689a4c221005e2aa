import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PlacementResult } from './TeepodPlacement';

const CHECKS = [
  { name: 'open', state: 'passed', title: 'Accepts CVMs', found: 'It accepts new CVMs.', advice: null },
  {
    name: 'vcpu',
    state: 'failed',
    title: 'vCPU',
    found: '16 needed, 4 free.',
    advice: 'Choose a smaller size.',
  },
] as const;
const textOf = (fits: boolean, placement: 'spread' | 'pack') =>
  renderToStaticMarkup(
    <PlacementResult result={{ fits, placement, checks: [...(fits ? CHECKS.slice(0, 1) : CHECKS)] }} />,
  ).replaceAll(/<style.*?<\/style>|<[^>]*>/gs, ' ');

it('lists the conditions of placement, and what isn’t met with advice', () => {
  const text = textOf(false, 'spread');
  for (const part of [
    'This CVM can’t be placed here.',
    'Passed',
    'Failed',
    '16 needed, 4 free.',
    'a smaller size',
  ])
    expect(text).toContain(part);
});

it('says which of the possible hosts comes first', () => {
  expect(textOf(true, 'pack')).toContain('the fullest comes first');
  expect(textOf(true, 'spread')).toContain('the most free memory comes first');
});
