/** Code generation for the admin area: its resources, their verbs, and the schemas of their forms and replies. */

import { adminActionStates } from './adminActionStates';
import { HEAD, operationsOf, refName, type ApiDocument, type Json } from './emitOperations';

/** A custom verb: `POST /admin/{resource}/{id}/{name}`. */
interface AdminAction extends Json {
  name: string;
  permission: string;
  /** Request schema, and response schema if it differs from the record's. */
  body?: string;
  reply?: string;
  /** Returns 202: the work continues after the response. */
  starts?: true;
  idempotent?: true;
  /** Schema of a 202 in addition to the regular reply, for an action pending approval. */
  accepted?: string;
}

interface AdminResource {
  path: string;
  id_type: string;
  schema: string;
  create?: string;
  update?: string;
  operations: string[];
  permissions: Record<string, string>;
  actions: AdminAction[];
  /** Its list rows lack fields of the record. */
  partial?: true;
  /** Schemas of 202 replies for verbs that also have another reply. */
  accepted?: Record<string, string>;
  /** `x-admin` of its operations, if present. */
  hints?: Record<string, Json>;
}

const ADMIN_VERBS: Readonly<Record<string, string>> = {
  'list get': 'list',
  'list post': 'create',
  'one get': 'show',
  'one patch': 'edit',
  'one put': 'edit',
  'one delete': 'delete',
  'action post': 'action',
};

/**
 * Finds the resources of tag admin: those with a list. Verbs follow from the path (`/admin/things`,
 * `/admin/things/{id}`, `/admin/things/{id}/restart`); deeper paths belong to custom pages.
 */
export function adminResourcesOf(document: ApiDocument): Record<string, AdminResource> {
  const resources: Record<string, AdminResource> = {};
  /** Schemas of list rows. */
  const listedAs: Record<string, string> = {};
  const schemaOf = (name: string | undefined) =>
    document.components.schemas?.[name ?? ''] as Json | undefined;
  for (const { path, method, operation } of operationsOf(document)) {
    if (operation.tags?.[0] !== 'admin') continue;
    const [, name, id, action] = /^\/admin\/([a-z0-9-]+)(\/\{\w+\})?(?:\/([a-z0-9-]+))?$/.exec(path) ?? [];
    const form =
      id === undefined ? (action === undefined ? 'list' : '') : action === undefined ? 'one' : 'action';
    const verb = ADMIN_VERBS[`${form} ${method}`];
    const hints = (operation['x-admin'] ?? {}) as Json;
    if (name === undefined || verb === undefined || hints.hidden === true) continue;
    const body = refName(operation.requestBody?.content['application/json']?.schema);
    const [status, ok] = Object.entries(operation.responses).find(([one]) => Number(one) < 300) ?? [];
    const reply = refName(ok?.content?.['application/json']?.schema);
    const later = operation.responses['202']?.content?.['application/json']?.schema;
    const accepted = status === '202' ? undefined : refName(later);
    const listed = verb === 'list' ? schemaOf(reply) : undefined;
    if (verb === 'list' && listed?.type !== 'array') continue;
    const resource = (resources[name] ??= {
      path: `/admin/${name}`,
      id_type: 'string',
      schema: '',
      operations: [],
      permissions: {},
      actions: [],
    });
    const permission = String(operation['x-permission']);
    if (verb === 'action') {
      resource.actions.push({
        name: action ?? '',
        permission,
        ...(body === undefined ? {} : { body }),
        ...(reply === undefined ? {} : { reply }),
        ...(status === '202' ? { starts: true } : {}),
        ...(operation['x-idempotent'] ? { idempotent: true } : {}),
        ...(accepted === undefined ? {} : { accepted }),
        ...hints,
        ...(adminActionStates[operation.operationId] && { when: adminActionStates[operation.operationId] }),
      });
      continue;
    }
    resource.operations.push(verb);
    resource.permissions[verb] = permission;
    if (accepted !== undefined) (resource.accepted ??= {})[verb] = accepted;
    if (Object.keys(hints).length > 0) (resource.hints ??= {})[verb] = hints;
    if (verb === 'show' && reply) resource.schema = reply;
    if (verb === 'list') listedAs[name] = refName(listed?.items as Json) ?? '';
    if (verb === 'list' && resource.schema === '') resource.schema = refName(listed?.items as Json) ?? '';
    if (verb === 'create' && body) resource.create = body;
    if (verb === 'edit' && body) resource.update = body;
  }
  for (const [name, rows] of Object.entries(listedAs))
    if (resources[name] && resources[name].schema !== rows) resources[name].partial = true;
  const listedOnly = Object.entries(resources).filter(([, { operations }]) => operations.includes('list'));
  for (const [, resource] of listedOnly) {
    const { id } = (schemaOf(resource.schema)?.properties ?? {}) as Record<string, Json>;
    resource.id_type = String(id?.type ?? 'string');
    for (const action of resource.actions) if (action.reply === resource.schema) delete action.reply;
  }
  return Object.fromEntries(listedOnly);
}

/** Returns the named schemas and everything they reference, by name. */
function schemasOf(document: ApiDocument, names: readonly (string | undefined)[]): Json {
  const wanted = new Set<string>();
  const want = (name: string | undefined) => {
    if (!name || wanted.has(name)) return;
    wanted.add(name);
    JSON.stringify(document.components.schemas?.[name], (key, value: unknown) => {
      if (key === '$ref') want(String(value).split('/').at(-1));
      return value;
    });
  };
  names.forEach(want);
  return Object.fromEntries(
    [...wanted].sort().map((name) => [name, document.components.schemas?.[name] ?? {}]),
  );
}

const listedSchemas = (document: ApiDocument, resources: ReturnType<typeof adminResourcesOf>): Json =>
  schemasOf(
    document,
    Object.values(resources).map(({ schema }) => schema),
  );

/** `admin/schemas.gen.ts`: the admin area's resources, their verbs, and JSON schemas of their responses. */
export function emitAdminSchemas(document: ApiDocument): string {
  const resources = adminResourcesOf(document);
  const schemas = listedSchemas(document, resources);
  return `${HEAD}export const adminResources: Readonly<Record<string, object>> = ${JSON.stringify(resources, null, 2)};

export const adminSchemas: Readonly<Record<string, object>> = ${JSON.stringify(schemas, null, 2)};
`;
}

/** `admin/forms.gen.ts`: JSON schemas of requests and action responses that `schemas.gen.ts` doesn't have. */
export function emitAdminForms(document: ApiDocument): string {
  const resources = adminResourcesOf(document);
  const schemas = schemasOf(
    document,
    Object.values(resources).flatMap(({ create, update, actions }) => [
      create,
      update,
      ...actions.flatMap(({ body, reply }) => [body, reply]),
    ]),
  );
  for (const name of Object.keys(listedSchemas(document, resources))) delete schemas[name];
  return `${HEAD}export const adminForms: Readonly<Record<string, object>> = ${JSON.stringify(schemas, null, 2)};
`;
}
