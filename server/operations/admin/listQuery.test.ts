import { describe, expect, it } from 'vitest';
import { Problem } from '../../domain/problem';
import { contentRange, parseListQuery } from './listQuery';

const fields = {
  id: 'integer',
  name: 'text',
  reachable: 'boolean',
  hourly_rate: 'money',
  created_at: 'time',
  warnings: 'none',
} as const;

const problem = (query: Parameters<typeof parseListQuery>[0]) => {
  try {
    parseListQuery(query, fields);
  } catch (error) {
    return error as Problem;
  }
  throw new Error('it was accepted');
};

describe('the simple-rest dialect', () => {
  it('reads what ra-data-simple-rest sends', () => {
    expect(
      parseListQuery(
        { sort: '["name","DESC"]', range: '[25,49]', filter: '{"name":"a","id":[1,"2"],"q":" rack "}' },
        fields,
      ),
    ).toEqual({
      sort: { field: 'name', descending: true },
      first: 25,
      last: 49,
      filter: [
        { field: 'name', values: ['a'] },
        { field: 'id', values: [1, 2] },
      ],
      search: 'rack',
    });
  });

  it('has defaults for everything', () => {
    expect(parseListQuery({}, fields)).toEqual({
      sort: { field: 'id', descending: false },
      first: 0,
      last: 24,
      filter: [],
      search: null,
    });
  });

  it('turns text into the type of the field', () => {
    const { filter } = parseListQuery(
      { filter: '{"reachable":"true","hourly_rate":"0.058","name":null}' },
      fields,
    );
    expect(filter.map((one) => one.values)).toEqual([[true], [58000], [null]]);
  });

  it.each([
    [{ sort: '["nope","ASC"]' }, 'sort'],
    [{ sort: '["warnings","ASC"]' }, 'sort'],
    [{ sort: '["constructor","ASC"]' }, 'sort'],
    [{ sort: '["name","asc; drop table nodes"]' }, 'sort'],
    [{ range: '[0,1000]' }, 'range'],
    [{ range: '[5,4]' }, 'range'],
    [{ range: '[-1,4]' }, 'range'],
    [{ range: '[0,1e300]' }, 'range'],
    [{ filter: '{"nope":1}' }, 'filter.nope'],
    [{ filter: '{"__proto__x":1}' }, 'filter.__proto__x'],
    [{ filter: '{"id":"one"}' }, 'filter.id'],
    [{ filter: '{"name":{"$gt":""}}' }, 'filter.name'],
    [{ filter: '{"reachable":1}' }, 'filter.reachable'],
    [{ filter: '{"created_at":"2026-01-01"}' }, 'filter.created_at'],
    [{ filter: '[]' }, 'filter'],
  ])('refuses %j naming the mistake', (query, field) => {
    const found = problem(query);
    expect(found.status).toBe(422);
    expect(found.info.details?.[0]?.field).toBe(field);
  });

  it('answers 400 to what is no JSON', () => {
    expect(problem({ filter: '{' }).status).toBe(400);
    expect(problem({ sort: 'name' }).status).toBe(400);
  });

  it('writes Content-Range, also for no rows', () => {
    expect(contentRange('nodes', 25, 10, 319)).toBe('nodes 25-34/319');
    expect(contentRange('nodes', 400, 0, 319)).toBe('nodes */319');
  });
});
