import { expect, it } from 'vitest';
import type { Problem } from '../../domain/core/problem';
import { countReport } from './targets';

const refusal = (address: string) =>
  countReport(address).then(
    () => null,
    (problem: Problem) => problem,
  );

it('accepts twenty reports an hour from one network, however its addresses change', async () => {
  for (let i = 0; i < 20; i++) expect(await refusal(`2001:db8:1:2::${i}`)).toBeNull();
  const refused = await refusal('2001:db8:1:2:ffff::1');
  expect(refused?.status).toBe(429);
  expect(refused?.message).toContain('Too many reports');
  expect(await refusal('2001:db8:1:3::1')).toBeNull();
  expect(await refusal('192.0.2.1')).toBeNull();
});
