import { expect, it } from 'vitest';
import { appFault, groupFault, splitByVerb } from './verbs';

const cvm = (name: string, status: 'running' | 'stopped' | 'error' | 'deleting', in_progress = false) => ({
  id: name,
  name,
  status,
  in_progress,
  operation: null,
  hourly_rate: { total: '0.06' },
});

it('splits CVMs by whether the verb applies to them', () => {
  const { able, skipped } = splitByVerb('stop', [
    cvm('a', 'running'),
    cvm('b', 'stopped'),
    cvm('c', 'running', true),
  ]);
  expect(able.map(({ name }) => name)).toEqual(['a']);
  expect(skipped.map(({ cvm: { name }, reason }) => [name, reason])).toEqual([
    ['b', 'It isn’t running.'],
    ['c', 'Another operation is in progress.'],
  ]);
});

it('gives a reason only if the verb applies to no CVM', () => {
  expect(groupFault('start', [cvm('a', 'running'), cvm('b', 'stopped')])).toBeUndefined();
  expect(groupFault('start', [cvm('a', 'running'), cvm('b', 'running')])).toBe('Already running.');
  expect(groupFault('start', [cvm('a', 'running'), cvm('b', 'deleting')])).toBe(
    'None of these CVMs can do this right now.',
  );
  expect(groupFault('delete', [])).toBe('There are no CVMs.');
});

it('offers the verb if a list doesn’t contain all of the app’s CVMs', () => {
  const app = { cvms: [cvm('a', 'running')], name: 'a', app_id: 'a'.repeat(40) };
  expect(appFault('start', { ...app, cvm_count: 1 } as never)).toBe('Already running.');
  expect(appFault('start', { ...app, cvm_count: 30 } as never)).toBeUndefined();
});
