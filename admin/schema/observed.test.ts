import { describe, expect, it } from 'vitest';
import { headlineStates, statesOf } from './observed';
import { resources } from './resources';

const state = resources.find(({ name }) => name === 'teepods')?.fields.find(({ name }) => name === 'state');

describe("a teepod's state in headlines and lists", () => {
  const states = (record: object) => {
    if (!state) throw new Error('The document has no teepod state.');
    return statesOf(state, { id: 1, node_state: 'online', ...record });
  };

  it('is the observed one', () => {
    expect(states({ state: 'online', reachable: true })).toEqual(['online']);
    expect(states({ state: 'online', reachable: false })).toEqual(['unreachable']);
    expect(states({ state: 'offline', reachable: false })).toEqual(['offline']);
  });

  it('keeps a cordon and maintenance of the node visible', () => {
    expect(states({ state: 'cordoned', reachable: true })).toEqual(['cordoned']);
    expect(states({ state: 'cordoned', reachable: false })).toEqual(['unreachable', 'cordoned']);
    expect(states({ state: 'online', reachable: true, node_state: 'maintenance' })).toEqual([
      'online',
      'maintenance',
    ]);
    expect(states({ state: 'offline', reachable: false, node_state: 'offline' })).toEqual(['offline']);
  });
});

it('shows an active but failing upstream as failing in the headline', () => {
  const upstreams = resources.find(({ name }) => name === 'ai-upstreams');
  const field = upstreams?.fields.find(({ name }) => name === 'state');
  if (!field) throw new Error('The document has no state of AI upstreams.');
  const states = (state: string, health: string) => headlineStates(field, { id: 1, state, health });
  expect(states('active', 'failing')).toEqual(['failing', 'active']);
  expect(states('active', 'ok')).toEqual(['active']);
  expect(states('active', 'unchecked')).toEqual(['active']);
  expect(states('disabled', 'failing')).toEqual(['disabled']);
});
