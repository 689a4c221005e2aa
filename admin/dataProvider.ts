import simpleRestProvider from 'ra-data-simple-rest';
import type { DataProvider, GetListParams, Identifier, QueryFunctionContext, RaRecord } from 'react-admin';
import { fetchJson, toHttpError } from './http';
import { API, listUrl, PER_PAGE } from './lists/listUrl';
import { findResource } from './schema/resources';
import type { FieldDescription } from './schema/types';
import { ownValue } from '../console/lib/ownValue';
import { waitingHref, waitingRecord } from './waiting';
import { newIdempotencyKey } from '../console/lib/idempotencyKey';
import { importWithRetry } from '../console/lib/importWithRetry';

/** Lists use ra-data-simple-rest's dialect; single records add partial updates, ETags and idempotency keys. */
export function createDataProvider(): AdminDataProvider {
  const rest = simpleRestProvider(API, fetchJson);
  /** ETags as read, by record and version. */
  const etags = new Map<string, string>();

  const remember = (resource: string, record: RaRecord, etag: string | null) => {
    if (etag !== null) etags.set(versionKey(resource, record), etag);
  };
  const getOne = async (resource: string, id: Identifier, signal?: AbortSignal) => {
    const { json, headers } = await fetchJson(one(resource, id), signal ? { signal } : {});
    const record = json as RaRecord;
    remember(resource, record, headers.get('ETag'));
    return record;
  };
  /** Rereads a record known only from a list to get its ETag. A newer version is a conflict. */
  const etagOf = async (resource: string, seen: RaRecord): Promise<string | undefined> => {
    const known = etags.get(versionKey(resource, seen));
    if (known !== undefined) return known;
    const now = await getOne(resource, seen.id);
    if (now.updated_at !== seen.updated_at) throw toHttpError(412, STALE, null);
    return etags.get(versionKey(resource, now));
  };
  const patch = async (
    resource: string,
    id: Identifier,
    data: Partial<RaRecord>,
    seen: RaRecord | undefined,
  ) => {
    const fields = (await forms()).editFields(findResource(resource) ?? NO_FORMS);
    const changes = changedKeys(fields, data, seen);
    if (seen && Object.keys(changes).length === 0) return seen;
    const etag = seen && 'updated_at' in seen ? await etagOf(resource, seen) : undefined;
    const reply = await fetchJson(one(resource, id), {
      method: 'PATCH',
      body: JSON.stringify(changes),
      ...(etag === undefined ? {} : { headers: { 'If-Match': etag } }),
    });
    const waits = waitingHref(reply, findResource(resource)?.accepted.edit);
    if (waits !== null) return waitingRecord(seen ?? { id }, waits);
    const record = reply.json as RaRecord;
    remember(resource, record, reply.headers.get('ETag'));
    return record;
  };
  const remove = async (resource: string, id: Identifier) => {
    await fetchJson(one(resource, id), { method: 'DELETE' });
  };

  const provider = {
    ...rest,
    supportAbortSignal: true,
    async getList(resource: string, params: GetListParams & QueryFunctionContext) {
      const { pagination: { page, perPage } = { page: 1, perPage: PER_PAGE }, sort, filter, signal } = params;
      const { json, headers } = await fetchJson(
        listUrl(resource, { page, perPage, sort, filter }),
        signal ? { signal } : {},
      );
      // `nodes 0-24/319`; for large tables the total is an estimate.
      const total = Number(headers.get('Content-Range')?.split('/').at(-1) ?? Number.NaN);
      const meta: ListMeta = {
        estimated: headers.get('X-Total-Estimated') === 'true',
      };
      return {
        data: json,
        total: Number.isNaN(total) ? undefined : total,
        meta,
      };
    },
    async getOne(resource: string, { id, signal }: { id: Identifier; signal?: AbortSignal }) {
      return { data: await getOne(resource, id, signal) };
    },
    async create(resource: string, { data, meta }: { data: Partial<RaRecord>; meta?: CreateMeta }) {
      const fields = (await forms()).createFields(findResource(resource) ?? NO_FORMS);
      const reply = await fetchJson(`${API}/${resource}`, {
        method: 'POST',
        body: JSON.stringify(newRecord(fields, data)),
        headers: {
          'Idempotency-Key': meta?.idempotency_key ?? newIdempotencyKey(),
        },
      });
      const waits = waitingHref(reply, findResource(resource)?.accepted.create);
      // Not under the pending change's ID, which belongs to a different record here.
      if (waits !== null) return { data: waitingRecord({ id: 'waiting' }, waits) };
      const record = reply.json as RaRecord;
      remember(resource, record, reply.headers.get('ETag'));
      return { data: record };
    },
    async update(resource: string, { id, data, previousData }: UpdateParams) {
      return { data: await patch(resource, id, data, previousData) };
    },
    async updateMany(resource: string, { ids, data }: { ids: Identifier[]; data: Partial<RaRecord> }) {
      for (const id of ids) await patch(resource, id, data, undefined);
      return { data: ids };
    },
    async delete(resource: string, { id, previousData }: { id: Identifier; previousData?: RaRecord }) {
      await remove(resource, id);
      return { data: previousData ?? { id } };
    },
    async deleteMany(resource: string, { ids }: { ids: Identifier[] }) {
      for (const id of ids) await remove(resource, id);
      return { data: ids };
    },
    async act(resource: string, { id, action, data, idempotency_key }: ActParams) {
      const reply = await fetchJson(`${one(resource, id)}/${encodeURIComponent(action)}`, {
        method: 'POST',
        ...(data === undefined ? {} : { body: JSON.stringify(data) }),
        ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
      });
      const { accepted } = findResource(resource)?.actions.find(({ name }) => name === action) ?? {};
      return { data: reply.json, waits: waitingHref(reply, accepted) };
    },
  };
  return provider as AdminDataProvider;
}

export interface AdminDataProvider extends DataProvider {
  /**
   * Runs a custom action of the API document on one record. `waits`: page of the action, if it waits for approval.
   */
  act(resource: string, params: ActParams): Promise<{ data: unknown; waits: string | null }>;
}

interface ActParams {
  id: Identifier;
  action: string;
  data?: Record<string, unknown>;
  idempotency_key?: string;
}

export interface ListMeta {
  /** Whether the total is an estimate, because an exact count would be slow. */
  estimated: boolean;
}

interface CreateMeta {
  /** One per form, so that a retry after a lost connection creates no duplicate. */
  idempotency_key: string;
}

interface UpdateParams {
  id: Identifier;
  data: Partial<RaRecord>;
  previousData?: RaRecord;
}

const STALE = {
  detail: {
    error_code: 'ERR-00-020',
    message: 'This record changed while you were editing.',
    suggestions: ['Reload it and make your change again.'],
  },
  code: 'ERR-00-020',
};

/** Loaded with the first form; lists don't need it. */
const forms = () => importWithRetry(() => import('./schema/forms'));
const NO_FORMS = { forms: {} };

const one = (resource: string, id: Identifier) => `${API}/${resource}/${encodeURIComponent(id)}`;
const versionKey = (resource: string, record: RaRecord) =>
  `${resource}/${record.id}/${String(record.updated_at)}`;
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Returns the keys of the patch schema whose values changed since the record was read. */
function changedKeys(
  fields: readonly FieldDescription[],
  data: Partial<RaRecord>,
  seen: RaRecord | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .map((field): [string, unknown] => [field.name, ownValue(data, field.name)])
      .filter(([name, value]) => value !== undefined && !same(value, seen && ownValue(seen, name))),
  );
}

/** Returns the values filled in for the create schema; the server sets defaults for the rest. */
export function newRecord(
  fields: readonly FieldDescription[],
  data: Partial<RaRecord>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .map((field): [FieldDescription, unknown] => [field, ownValue(data, field.name)])
      .filter(
        ([field, value]) => value !== undefined && !(field.omittable && (value === null || value === '')),
      )
      .map(([field, value]) => [field.name, value]),
  );
}
