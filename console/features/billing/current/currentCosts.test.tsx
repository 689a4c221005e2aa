import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { CurrentCost } from '../../../../generated/api/types.gen';
import { IfStopped } from './CurrentCosts';

const shown = (cost: Partial<CurrentCost>) =>
  renderToStaticMarkup(
    <IfStopped
      {...({ basis: 'size', hourly_rate: '0.058', stopped_hourly_rate: '0.002', ...cost } as CurrentCost)}
    />,
  )
    .replaceAll(/<style.*?<\/style>/gs, '')
    .replaceAll(/<[^>]+>/g, '');

it('names what saves money on a phone, where the column has no heading', () => {
  expect(shown({})).toBe('Saves $40.88/month if stopped. Disk still costs $1.46/month');
  expect(shown({ stopped_hourly_rate: '0' })).toBe('Saves $42.34/month if stopped ');
  expect(shown({ basis: 'disk' })).toBe('Already stopped');
});
