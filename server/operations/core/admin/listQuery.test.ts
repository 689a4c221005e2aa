import { describe, expect, it } from 'vitest';
import { Problem } from '../../../domain/core/problem';
import { sql } from 'kysely';
import { columnsOf, contentRange, parseListQuery } from './listQuery';

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
  throw new Error('the query was accepted');
};

describe('the simple-rest dialect', () => {
  it('parses the parameters that ra-data-simple-rest sends', () => {
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
      ranges: [],
      search: 'rack',
    });
  });

  it('has a default for every parameter', () => {
    expect(parseListQuery({}, fields)).toEqual({
      sort: { field: 'id', descending: false },
      first: 0,
      last: 24,
      filter: [],
      ranges: [],
      search: null,
    });
  });

  it("converts text to the field's type", () => {
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
    [{ range: '[100000,100024]' }, 'range'],
    [{ filter: '{"name_gte":"a"}' }, 'filter.name_gte'],
    [{ filter: '{"created_at_gte":"yesterday"}' }, 'filter.created_at_gte'],
    [{ filter: '{"created_at_gte":null}' }, 'filter.created_at_gte'],
    [{ filter: '{"nope_gte":1}' }, 'filter.nope_gte'],
    [{ filter: '{"id_lte":[1,2]}' }, 'filter.id_lte'],
  ])('rejects %j and names the field', (query, field) => {
    const found = problem(query);
    expect(found.status).toBe(422);
    expect(found.info.details?.[0]?.field).toBe(field);
  });

  it('parses ranges of numbers, amounts and times, including whole days', () => {
    const { ranges } = parseListQuery(
      {
        filter:
          '{"id_gte":3,"hourly_rate_lte":"0.058","created_at_gte":"2026-11-21T08:00:00Z","created_at_lte":"2026-11-21"}',
      },
      fields,
    );
    expect(ranges).toEqual([
      { field: 'id', op: '>=', value: 3 },
      { field: 'hourly_rate', op: '<=', value: 58000 },
      { field: 'created_at', op: '>=', value: new Date('2026-11-21T08:00:00Z') },
      { field: 'created_at', op: '<', value: new Date('2026-11-22T00:00:00Z') },
    ]);
  });

  it('filters for rows without a time', () => {
    expect(parseListQuery({ filter: '{"created_at":null}' }, fields).filter).toEqual([
      { field: 'created_at', values: [null] },
    ]);
  });

  it('sorts large tables only by indexed fields', () => {
    const large = { keys: sql``, indexed: ['created_at'], thenBy: 'created_at', onlyIndexed: true };
    expect(parseListQuery({ sort: '["created_at","DESC"]' }, fields, { large }).sort.field).toBe(
      'created_at',
    );
    expect(() => parseListQuery({ sort: '["name","ASC"]' }, fields, { large })).toThrow(/created_at/);
  });

  it('parses the columns of a file and rejects unknown ones', () => {
    expect(columnsOf(undefined, fields, 'nodes')).toEqual(Object.keys(fields));
    expect(columnsOf('name, id,name', fields, 'nodes')).toEqual(['name', 'id']);
    expect(() => columnsOf('id,constructor', fields, 'nodes')).toThrow(/constructor/);
  });

  it('answers 400 to invalid JSON', () => {
    expect(problem({ filter: '{' }).status).toBe(400);
    expect(problem({ sort: 'name' }).status).toBe(400);
  });

  it('formats Content-Range, even without rows', () => {
    expect(contentRange('nodes', 25, 10, 319)).toBe('nodes 25-34/319');
    expect(contentRange('nodes', 400, 0, 319)).toBe('nodes */319');
  });
});
