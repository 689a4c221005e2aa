import { expect, it } from 'vitest';
import { regionName } from './regionName';

it('converts missing regions between the API and the address', () => {
  expect([null, '', 'eu-west'].map(regionName)).toEqual(['No region', 'No region', 'eu-west']);
});
