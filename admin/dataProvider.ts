import simpleRestProvider from 'ra-data-simple-rest';
import type { DataProvider, GetListParams, Identifier, QueryFunctionContext, RaRecord } from 'react-admin';
import { fetchJson, toHttpError } from './http';
import { API, listUrl, PER_PAGE } from './listUrl';
import { findResource } from './schema/resources';
import type { FieldDescription } from './schema/types';

/** Lists come in ra-data-simple-rest's own dialect; single records add what it has not: changed keys, ETags, keys for repeats. */
export function createDataProvider(): AdminDataProvider {
  const rest = simpleRestProvider(API, fetchJson);
  /** The ETag of a record as it was read, by record and version. */
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
  /** Of a record that was only seen in a list, the version is found by reading it again; if it moved on, that is the conflict. */
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
    const { json, headers } = await fetchJson(one(resource, id), {
      method: 'PATCH',
      body: JSON.stringify(changes),
      ...(etag === undefined ? {} : { headers: { 'If-Match': etag } }),
    });
    const record = json as RaRecord;
    remember(resource, record, headers.get('ETag'));
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
      // `nodes 0-24/319`; of more rows than are counted each time the server tells its estimate.
      const total = Number(headers.get('Content-Range')?.split('/').at(-1) ?? Number.NaN);
      const meta: ListMeta = { estimated: headers.get('X-Total-Estimated') === 'true' };
      return { data: json, total: Number.isNaN(total) ? undefined : total, meta };
    },
    async getOne(resource: string, { id, signal }: { id: Identifier; signal?: AbortSignal }) {
      return { data: await getOne(resource, id, signal) };
    },
    async create(resource: string, { data, meta }: { data: Partial<RaRecord>; meta?: CreateMeta }) {
      const fields = (await forms()).createFields(findResource(resource) ?? NO_FORMS);
      const { json, headers } = await fetchJson(`${API}/${resource}`, {
        method: 'POST',
        body: JSON.stringify(newRecord(fields, data)),
        headers: { 'Idempotency-Key': meta?.idempotency_key ?? crypto.randomUUID() },
      });
      remember(resource, json as RaRecord, headers.get('ETag'));
      return { data: json };
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
      const { json } = await fetchJson(`${one(resource, id)}/${encodeURIComponent(action)}`, {
        method: 'POST',
        ...(data === undefined ? {} : { body: JSON.stringify(data) }),
        ...(idempotency_key === undefined ? {} : { headers: { 'Idempotency-Key': idempotency_key } }),
      });
      return { data: json };
    },
  };
  return provider as AdminDataProvider;
}

export interface AdminDataProvider extends DataProvider {
  /** A verb of the document's own, done to one record. */
  act(resource: string, params: ActParams): Promise<{ data: unknown }>;
}

export interface ActParams {
  id: Identifier;
  action: string;
  data?: Record<string, unknown>;
  idempotency_key?: string;
}

export interface ListMeta {
  /** The total is about right, as counting would take long. */
  estimated: boolean;
}

export interface CreateMeta {
  /** One per form, so that sending again after a broken connection makes nothing twice. */
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
    message: 'Somebody changed it since you read it',
    suggestions: ['Reload and apply the change again.'],
  },
  code: 'ERR-00-020',
};

/** Loaded with the first form, which a list does without. */
const forms = () => import('./schema/forms');
const NO_FORMS = { forms: {} };

const one = (resource: string, id: Identifier) => `${API}/${resource}/${encodeURIComponent(id)}`;
const versionKey = (resource: string, record: RaRecord) =>
  `${resource}/${record.id}/${String(record.updated_at)}`;
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Only what the patch schema knows and what differs from what was read. An absent key stays absent. */
export function changedKeys(
  fields: readonly FieldDescription[],
  data: Partial<RaRecord>,
  seen: RaRecord | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .map((field): [string, unknown] => [field.name, data[field.name]])
      .filter(([name, value]) => value !== undefined && !same(value, seen?.[name])),
  );
}

/** What the create schema knows and somebody filled in; the rest is the server's to choose. */
export function newRecord(
  fields: readonly FieldDescription[],
  data: Partial<RaRecord>,
): Record<string, unknown> {
  return Object.fromEntries(
    fields
      .map((field): [FieldDescription, unknown] => [field, data[field.name]])
      .filter(
        ([field, value]) => value !== undefined && !(field.omittable && (value === null || value === '')),
      )
      .map(([field, value]) => [field.name, value]),
  );
}
