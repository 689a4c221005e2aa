import { parseUuid } from '../../../console/lib/ids';
import { NOBODY, parseEventQuery, type EventQuery, type Wanted } from '../../../console/lib/query/events';
import type { QueryError } from '../../../console/lib/query/syntax';
import { appsNamed, cvmsNamed, operationsNamed, peopleNamed } from '../../db/activity/eventNames';
import type { EventFilter } from '../../db/activity/events';
import { Problem } from '../../domain/core/problem';
import { parseAppId } from '../apps/appId';
import { teamOf } from '../core/caller';
import type { Context } from '../types';
import { cvmIdsOf } from './cvmIds';
import { ownValue } from '../../../console/lib/ownValue';

interface Params {
  app_id?: string;
  cvm?: string;
  operation?: string;
  kind?: string;
  q?: string;
}

type Facts = NonNullable<EventFilter['without']>;

/**
 * Builds the filter of listEvents and streamEvents from their parameters; `q` narrows it further.
 * @throws if a value can't name an app or operation or names no CVM, and VALIDATION_FAILED for an invalid
 * `q`, with the position of each error
 */
export async function eventFilter(ctx: Context, params: Params): Promise<EventFilter> {
  const team_id = teamOf(ctx).id;
  const app_ids = async (id: string) =>
    [...(await appsNamed(ctx.db, team_id, [known(parseAppId(id), 'app')])).values()].flat();
  const operation_ids = async (id: string) =>
    [...(await operationsNamed(ctx.db, team_id, [known(parseUuid(id), 'operation')])).values()].flat();
  const given: EventFilter = {
    team_id,
    app_ids: params.app_id ? await app_ids(params.app_id) : undefined,
    cvm_ids: params.cvm ? await cvmIdsOf(ctx, params.cvm) : undefined,
    operation_ids: params.operation ? await operation_ids(params.operation) : undefined,
    kind: params.kind || undefined,
  };
  return params.q?.trim() ? narrowed(given, ...(await searched(ctx, params.q))) : given;
}

function known(id: string | null, what: string): string {
  if (id === null) throw new Problem('NOT_FOUND', { message: `The requested ${what} was not found` });
  return id;
}

async function searched(ctx: Context, q: string): Promise<[Partial<EventFilter>, Facts]> {
  const { query, terms, errors } = parseEventQuery(q);
  if (errors.length > 0) throw faulty(errors);
  const names = await namesIn(ctx, query);
  const unknown = terms.flatMap(({ key, values, start, end }): QueryError[] => {
    const found = ownValue({ cvm: names.cvms, app: names.apps, operation: names.operations }, key ?? '');
    const name = found && values.find((value) => (found.get(value)?.length ?? 0) === 0);
    if (name === undefined) return [];
    const what = ownValue({ cvm: 'CVM', app: 'app', operation: 'operation' }, key ?? '');
    return [{ message: `This team has never had a ${what} named “${name}”.`, start, end }];
  });
  if (unknown.length > 0) throw faulty(unknown);
  const side = (which: keyof Wanted): Facts => {
    const ids = (found: ReadonlyMap<string, number[]>, { [which]: wanted }: Wanted) =>
      wanted.length === 0 ? undefined : [...new Set(wanted.flatMap((name) => found.get(name) ?? []))];
    const by = ids(names.users, query.by);
    return {
      app_ids: ids(names.apps, query.app),
      cvm_ids: ids(names.cvms, query.cvm),
      operation_ids: ids(names.operations, query.operation),
      actor_ids: by && (query.by[which].includes(NOBODY) ? [...by, null] : by),
      kinds: some(query.kind[which]),
      severities: some(query.severity[which]),
      texts: some(query.text[which]),
    };
  };
  const { after, before } = query;
  return [{ ...side('any'), after: after ?? undefined, before: before ?? undefined }, side('none')];
}

/** A detail's `value` is the position in the text: "5-12". */
const faulty = (errors: readonly QueryError[]) =>
  new Problem('VALIDATION_FAILED', {
    message: errors[0]?.message,
    details: errors.map(({ message, start, end }) => ({ field: 'q', message, value: `${start}-${end}` })),
  });

const some = <T>(values: readonly T[]) => (values.length === 0 ? undefined : values);

async function namesIn(ctx: Context, query: EventQuery) {
  const { db } = ctx;
  const team_id = teamOf(ctx).id;
  const all = ({ any, none }: Wanted) => [...new Set([...any, ...none])];
  const names = all(query.by).filter((name) => name !== NOBODY);
  const [cvms, apps, operations, actors] = await Promise.all([
    cvmsNamed(db, team_id, all(query.cvm)),
    appsNamed(db, team_id, all(query.app)),
    operationsNamed(db, team_id, all(query.operation)),
    peopleNamed(db, names),
  ]);
  return { cvms, apps, operations, users: actors };
}

/** Returns the filter that matches what both allow. */
function narrowed(given: EventFilter, searchFilter: Partial<EventFilter>, without: Facts): EventFilter {
  const both = <T>(a: readonly T[] | undefined, b: readonly T[] | undefined) =>
    a && b ? a.filter((one) => b.includes(one)) : (a ?? b);
  return {
    ...searchFilter,
    team_id: given.team_id,
    kind: given.kind,
    app_ids: both(given.app_ids, searchFilter.app_ids),
    cvm_ids: both(given.cvm_ids, searchFilter.cvm_ids),
    operation_ids: both(given.operation_ids, searchFilter.operation_ids),
    without,
  };
}
