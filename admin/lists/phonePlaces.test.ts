import { describe, expect, it } from 'vitest';
import { findResource, resources } from '../schema/resources';
import { phonePlaces } from './phonePlaces';

function onPhone(name: string) {
  const columns = findResource(name)?.columns ?? [];
  const placeOf = phonePlaces(columns);
  return columns.flatMap((column, index) => {
    const place = placeOf(index);
    return place === 'end' || place === 'meta' ? [{ name: column.name, type: column.type, place }] : [];
  });
}

describe('a row on a phone', () => {
  it('shows the amount beside the name if there is no state', () => {
    expect(onPhone('transactions')).toContainEqual({ name: 'amount', type: 'money', place: 'end' });
  });

  it('shows an audit entry’s change, team, actor and time', () => {
    const places = onPhone('audit');
    expect(places.map(({ name, place }) => [name, place])).toEqual([
      ['target', 'meta'],
      ['team_id', 'meta'],
      ['actor', 'meta'],
      ['at', 'end'],
    ]);
  });

  it('names an event by its message, with its CVM, team and time', () => {
    expect(findResource('instance-events')?.columns[0]?.name).toBe('message');
    const places = onPhone('instance-events');
    expect(places.filter(({ place }) => place === 'meta').map(({ name }) => name)).toEqual([
      'cvm_id',
      'team_id',
      'created_at',
    ]);
  });

  it.each(['finance-actions', 'payments', 'credits', 'orders'])('shows state and amount of %s', (name) => {
    const places = onPhone(name);
    expect(places.filter(({ place }) => place === 'end').map(({ type }) => type)).toEqual(['status']);
    expect(places.filter(({ place }) => place === 'meta').map(({ type }) => type)).toContain('money');
    expect(places).toHaveLength(3);
  });

  it.each(resources.map(({ name, columns }) => [name, columns] as const))(
    'starts with a name, not with an ID, in the list of %s',
    (_name, columns) => {
      const shown = columns.filter(({ hidden }) => !hidden).map(({ name }) => name);
      for (const name of ['name', 'hostname', 'cvm_id'])
        if (/^(id|slug|model|host_vm_id)$/.test(shown[0] ?? '')) expect(shown).not.toContain(name);
    },
  );
});
