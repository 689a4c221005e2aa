import { expect, it } from 'vitest';
import { getResource } from '../schema/resources';
import { bulkOperations } from './bulk';

const labels = (resource: string) => bulkOperations(getResource(resource)).map(({ label }) => label);

it('labels bulk actions like a single record’s buttons, without the kind', () => {
  expect(labels('cvms')).toContain('Shut down');
  expect(labels('queue-jobs')).toContain('Cancel');
});
