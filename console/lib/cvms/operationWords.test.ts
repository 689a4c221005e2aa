import { expect, it } from 'vitest';
import {
  endWords,
  failureCause,
  isOperationType,
  operationInProgress,
  operationName,
  operationNoun,
  operationResult,
  operationTitle,
  withArticle,
} from './operationWords';

it('names a shutdown by its noun, and its success by the verb', () => {
  expect(operationNoun('shutdown')).toBe('Shutdown');
  expect(operationResult('shutdown', 'requested')).toBe('Shutdown requested');
  expect(operationResult('shutdown', 'failed')).toBe('Shutdown failed');
  expect(operationResult('shutdown', 'cancelled')).toBe('Shutdown canceled');
  expect(operationResult('shutdown', 'succeeded')).toBe('Shut down');
});

it('says that a restored CVM is back even if it doesn’t start', () => {
  expect(endWords('start', 'failed', { restores: true })).toBe('Restored, but not started');
  expect(endWords('start', 'succeeded', { restores: true })).toBe('Restored from the recycle bin');
  expect(endWords('start', 'failed', {})).toBe('Start failed');
});

it('names an update that goes back', () => {
  expect(endWords('update', 'succeeded', { rolls_back: true })).toBe('Rolled back');
  expect(endWords('update', 'failed', { rolls_back: true })).toBe('Rollback failed');
  expect(operationResult('update', 'requested', { rolls_back: true })).toBe('Rollback requested');
  expect(operationInProgress('update', { rolls_back: true })).toBe('Rolling back');
  expect(endWords('update', 'succeeded', {})).toBe('Updated');
  expect(operationInProgress('update', {})).toBe('Updating');
  expect(withArticle(operationName({ type: 'update', rolls_back: true }))).toBe('a rollback');
  expect(withArticle(operationName({ type: 'update' }))).toBe('an update');
  const rolls_back_to = { revision_id: 'rev_1', revision_number: 3 };
  expect(operationTitle({ type: 'update', rolls_back: true, rolls_back_to })).toBe('Rollback to revision 3');
  expect(operationTitle({ type: 'update', rolls_back: true, rolls_back_to: null })).toBe('Rollback');
  expect(operationTitle({ type: 'update', rolls_back: false, rolls_back_to: null })).toBe('Update');
});

it('knows which event kinds are operations', () => {
  expect(isOperationType('deploy')).toBe(true);
  for (const other of ['boot', 'toString', '']) expect(isOperationType(other)).toBe(false);
});

it('keeps only the specific part of a failure', () => {
  expect(failureCause('Boot error: failed to start containers: services.web.image: denied')).toBe(
    'services.web.image: denied',
  );
  expect(failureCause('The host rejected the request: full')).toBe('The host rejected the request: full');
});
