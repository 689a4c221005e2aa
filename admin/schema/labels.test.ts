import { expect, test } from 'vitest';
import {
  createFailed,
  fieldLabel,
  groupsInOrder,
  inSentence,
  plural,
  resourceLabel,
  singular,
  unitWritten,
  words,
} from './labels';
import { getResource } from './resources';

test('moves units from the label to the value', () => {
  expect([fieldLabel('every_seconds'), unitWritten('every_seconds')]).toEqual(['Every', 's']);
  expect([fieldLabel('duration_ms'), unitWritten('duration_ms')]).toEqual(['Duration', 'ms']);
  expect([fieldLabel('minutes'), unitWritten('minutes')]).toEqual(['Minutes', undefined]);
  expect([fieldLabel('attempts'), unitWritten('attempts')]).toEqual(['Attempts', undefined]);
});

test('keeps the capitals of abbreviations in sentences', () => {
  expect(['Nodes', 'CVMs', 'GPU events', 'vCPU'].map(inSentence)).toEqual([
    'nodes',
    'CVMs',
    'GPU events',
    'vCPU',
  ]);
  expect([singular('instance-types'), plural('instance-types')]).toEqual(['instance type', 'instance types']);
  expect([words('duplicate-vms'), singular('duplicate-vms')]).toEqual(['Duplicate VMs', 'duplicate VM']);
  expect([singular('outbox'), plural('outbox')]).toEqual(['message', 'messages']);
  // Also covers AI keys and orders.
  expect([singular('usage'), plural('usage')]).toEqual(['usage item', 'usage items']);
  // The API's names differ.
  expect([resourceLabel('workspaces'), singular('workspaces'), plural('workspaces')]).toEqual([
    'Teams',
    'team',
    'teams',
  ]);
  expect([resourceLabel('queue-workers'), singular('queue-workers')]).toEqual(['Queues', 'queue']);
});

test('orders menu groups and puts unknown ones last', () => {
  expect(groupsInOrder(['system', 'lately', 'infrastructure', 'compute', 'system'])).toEqual([
    'compute',
    'infrastructure',
    'system',
    'lately',
  ]);
});

test('names a refused action like its button', () => {
  expect(createFailed(getResource('transactions'))).toBe('Couldn’t adjust balance');
  expect(createFailed(getResource('nodes'))).toBe('Couldn’t add the node');
});
