/**
 * Our part of code generation: turns the OpenAPI document into the server's route table and permission table. Pure:
 * document in, source text out.
 */

export type Json = Record<string, unknown>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  schema?: Json;
}

export interface Operation extends Json {
  operationId: string;
  tags?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: Record<string, { schema?: Json }> };
  responses: Record<
    string,
    {
      description?: string;
      $ref?: string;
      headers?: Json;
      content?: Record<string, { schema?: Json; examples?: Json }>;
    }
  >;
}

export interface ApiDocument extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, Json>>;
  'x-permissions': Record<string, { roles: string[]; scope?: string; description: string }>;
  'x-problems': Record<string, { status: number; name: string; title: string; what_to_do: string }>;
  'x-api-versions': Record<string, { summary: string; changes: { operations: string[]; change: string }[] }>;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** The first line of every generated file. */
export const HEAD =
  '// This file is written by `npm run codegen` from openapi/product.yaml. Do not edit.\n\n';

/** Returns every operation with its path and method, in document order. */
export function operationsOf(document: ApiDocument) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
}

/** Returns the schemas of an operation's reply in older versions, by the last version that has it, oldest first. */
export const olderVersionsOf = (operation: Operation): Record<string, string> =>
  Object.fromEntries(
    Object.entries((operation['x-versions'] ?? {}) as Record<string, string>).sort(([a], [b]) =>
      a < b ? -1 : 1,
    ),
  );

/** Returns the operationIds in document order. */
export const operationIdsOf = (document: ApiDocument): string[] =>
  operationsOf(document).map(({ operation }) => operation.operationId);

function resolveRef(document: ApiDocument, ref: string): Json {
  const node = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json | undefined)?.[key], document);
  if (!node) throw new Error(`${ref} does not resolve`);
  return node as Json;
}

/** Returns the name of the schema a reference points to. */
export const refName = (schema: Json | undefined) =>
  typeof schema?.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** Returns how a raw query or path string becomes its schema's type. Arrays repeat the key. */
function coercion(schema: Json | undefined): string {
  const types = ([] as unknown[]).concat(schema?.type ?? []);
  if (types.includes('integer') || types.includes('number')) return 'number';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('array')) return 'array';
  return 'string';
}

/** Returns the `x-refused-keys` of a request body. */
const refusedKeys = (body: Json | undefined) =>
  Object.fromEntries(
    Object.entries(
      (body?.['x-refused-keys'] ?? {}) as Record<string, { unless?: unknown[]; reason: string }>,
    ).map(([path, { unless = [], reason }]) => [path, { unless, reason }]),
  );

/** Returns whether keys that a request body's schema doesn't know are dropped: all keys if it takes no body. */
export function dropsUnknownKeys(document: ApiDocument, method: string, operation: Operation): boolean {
  if (!operation.requestBody) return method !== 'get';
  return Object.values(operation.requestBody?.content ?? {}).some(({ schema }) => {
    const body = schema?.$ref ? resolveRef(document, String(schema.$ref)) : schema;
    return body?.['x-unknown-keys'] === 'strip';
  });
}

/** `operations.gen.ts`: everything the server needs to mount each operation, by operationId. */
export function emitOperations(document: ApiDocument): string {
  const zodNames = new Set<string>();
  const use = (name: string) => {
    zodNames.add(name);
    return `of(${name})`;
  };
  const entries = operationsOf(document).map(({ path, method, operation }) => {
    const id = operation.operationId;
    const parameters = (operation.parameters ?? []).map((p) =>
      '$ref' in p ? (resolveRef(document, p.$ref as string) as unknown as Parameter) : p,
    );
    const kinds = (where: string) => parameters.filter((p) => p.in === where);
    const table = (where: string) =>
      `{ ${kinds(where)
        .map((p) => `${JSON.stringify(p.name)}: '${coercion(p.schema)}'`)
        .join(', ')} }`;
    const bodies = Object.entries(operation.requestBody?.content ?? {});
    const responses = Object.entries(operation.responses).map(([status, response]) => {
      const whole = response.$ref ? (resolveRef(document, response.$ref) as typeof response) : response;
      const [type, media] = Object.entries(whole.content ?? {})[0] ?? [];
      const schema = type?.includes('json') ? refName(media?.schema) : undefined;
      if (type?.includes('json') && !schema)
        throw new Error(`${id} ${status}: a JSON reply must be a named component`);
      return `${status}: { type: ${type ? JSON.stringify(type) : 'null'}, schema: ${schema ? use(`z${schema}`) : 'null'} }`;
    });
    const versions = Object.entries(olderVersionsOf(operation)).map(
      ([version, schema]) => `'${version}': ${use(`z${schema}`)}`,
    );
    const bodySchema = bodies.find(([type]) => type.includes('json'))?.[1].schema as Json | undefined;
    const bodyObject = bodySchema?.$ref ? resolveRef(document, String(bodySchema.$ref)) : bodySchema;
    const limits = (operation['x-limits'] ?? {}) as { body_bytes?: number; rate?: string };
    const permission = String(operation['x-permission']);
    if (!document['x-permissions'][permission]) throw new Error(`${id}: unknown permission ${permission}`);
    return `  ${id}: {
    method: '${method}',
    path: ${JSON.stringify(path)},
    tag: ${JSON.stringify(operation.tags?.[0] ?? '')},
    permission: ${JSON.stringify(permission)},
    rate: ${JSON.stringify(limits.rate ?? (method === 'get' ? 'read' : 'write'))},
    bodyBytes: ${limits.body_bytes ?? 0},
    bodyRequired: ${operation.requestBody?.required ?? false},
    nullIsAbsent: ${bodyObject?.['x-unknown-keys'] !== undefined},
    unknownKeys: ${JSON.stringify(bodyObject?.['x-unknown-keys'] ?? null)},
    ignoredKeys: ${JSON.stringify(bodyObject?.['x-ignored-keys'] ?? [])},
    refusedKeys: ${JSON.stringify(refusedKeys(bodyObject))},
    bodyTypes: ${JSON.stringify(bodies.map(([type]) => type))},
    idempotent: ${JSON.stringify(operation['x-idempotent'] ?? false)},
    stepUp: ${operation['x-step-up'] === true},
    bulk: ${(operation['x-admin'] as Json | undefined)?.bulk === true},
    stream: ${operation['x-stream'] === true},
    signedUrl: ${operation['x-signed-url'] === true},
    body: ${bodies.some(([type]) => type.includes('json')) ? use(`z${capital(id)}Body`) : 'null'},
    path_: ${kinds('path').length ? use(`z${capital(id)}Path`) : 'null'},
    query: ${kinds('query').length ? use(`z${capital(id)}Query`) : 'null'},
    pathTypes: ${table('path')},
    queryTypes: ${table('query')},
    responses: { ${responses.join(', ')} },
    versions: { ${versions.join(', ')} },
  },`;
  });
  const types = operationsOf(document).map(({ operation }) => {
    const name = capital(operation.operationId);
    const statuses = Object.entries(operation.responses);
    const replies = statuses
      .filter(([status]) => Number(status) < 400)
      // The generator has no type for a redirect, which has no body.
      .map(([status]) => `${status}: ${Number(status) < 300 ? `${name}Responses[${status}]` : 'void'}`);
    return `  ${operation.operationId}: { data: ${name}Data; replies: { ${replies.join('; ')} } };`;
  });
  const typeNames = operationsOf(document).flatMap(({ operation }) => {
    const name = capital(operation.operationId);
    const replies = Object.keys(operation.responses).some((status) => Number(status) < 300);
    return replies ? [`${name}Data`, `${name}Responses`] : [`${name}Data`];
  });
  return `${HEAD}import type { ZodType } from 'zod';
import type {\n  ${typeNames.join(',\n  ')},\n} from './types.gen';
import {\n  ${[...zodNames].sort().join(',\n  ')},\n} from './zod.gen';
import type { Permission } from './permissions.gen';

export type Coercion = 'string' | 'number' | 'boolean' | 'array';

export interface OperationSpec {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: string;
  readonly permission: Permission;
  readonly rate: string;
  readonly bodyBytes: number;
  readonly bodyRequired: boolean;
  /** Published clients send this body; they write null for an optional field they leave out. */
  readonly nullIsAbsent: boolean;
  /** What happens to keys that the body's schema doesn't know; null: the schema itself rejects them. */
  readonly unknownKeys: 'strip' | 'refuse' | null;
  /** Unknown keys not worth a warning. */
  readonly ignoredKeys: readonly string[];
  /** Keys rejected by path, unless they have one of these values. */
  readonly refusedKeys: Readonly<
    Record<string, { readonly unless: readonly unknown[]; readonly reason: string }>
  >;
  readonly bodyTypes: readonly string[];
  readonly idempotent: boolean | 'required';
  /** A session must have shown lately that its person is there. */
  readonly stepUp: boolean;
  /** An admin action that may be done to many rows by one job. */
  readonly bulk: boolean;
  readonly stream: boolean;
  readonly signedUrl: boolean;
  readonly body: ZodType | null;
  readonly path_: ZodType | null;
  readonly query: ZodType | null;
  readonly pathTypes: Readonly<Record<string, Coercion>>;
  readonly queryTypes: Readonly<Record<string, Coercion>>;
  readonly responses: Readonly<Record<number, { readonly type: string | null; readonly schema: ZodType | null }>>;
  /** Schemas of the successful reply in older versions, by the last version that has it, oldest first. */
  readonly versions: Readonly<Record<string, ZodType>>;
}

/** What each operation takes and what it may answer, by status. */
export interface OperationTypes {
${types.join('\n')}
}

export type OperationId = keyof OperationTypes;

/** A schema as its base type: comparing each of them with it would take a third of the time of the type check. */
const of = (schema: unknown) => schema as ZodType;

export const operations: Readonly<Record<OperationId, OperationSpec>> = {
${entries.join('\n')}
};
`;
}

/** `permissions.gen.ts`: who may do what. The server enforces it, and the screens explain it. */
export function emitPermissions(document: ApiDocument): string {
  const secrets = secretPaths(document);
  return `${HEAD}export const permissions = ${JSON.stringify(document['x-permissions'], null, 2)} as const;

export type Permission = keyof typeof permissions;

/** Every problem code with its status, public title and advice. */
export const problems = ${JSON.stringify(document['x-problems'], null, 2)} as const;

export type ProblemCode = keyof typeof problems;

/** The same by name: what the code of the server says. */
export const problemCodes = ${JSON.stringify(Object.fromEntries(Object.entries(document['x-problems']).map(([code, problem]) => [problem.name, code])), null, 2)} as const;

export type ProblemName = keyof typeof problemCodes;

/** Names of properties marked x-secret (or x-redact) in the document: never logged. May only grow. */
export const secretFields: readonly string[] = ${JSON.stringify(secrets, null, 2)};
`;
}

/** `apiVersions.gen.ts`: what each version of the API changed, newest first. */
export function emitApiVersions(document: ApiDocument): string {
  const known = new Set(operationsOf(document).map(({ operation }) => operation.operationId));
  const versions = document['x-api-versions'] ?? {};
  for (const [version, { changes }] of Object.entries(versions))
    for (const id of changes.flatMap(({ operations }) => operations))
      if (!known.has(id)) throw new Error(`x-api-versions: ${version} names ${id}, which is no operation`);
  return `${HEAD}/** By the name of the version, which is its day. */
export const apiVersions: Readonly<
  Record<string, { summary: string; changes: readonly { operations: readonly string[]; change: string }[] }>
> = ${JSON.stringify(versions, null, 2)};
`;
}

function secretPaths(document: ApiDocument): string[] {
  const names = new Set<string>();
  const visit = (node: unknown, name: string) => {
    if (!node || typeof node !== 'object') return;
    if (Array.isArray(node)) return node.forEach((item) => visit(item, name));
    const object = node as Json;
    if ((object['x-secret'] === true || object['x-redact'] === true) && name) names.add(name);
    if (typeof object.name === 'string' && typeof object.in === 'string') {
      const schema = object.schema as Json | undefined;
      if (object['x-secret'] === true || schema?.['x-secret'] === true) names.add(object.name);
    }
    for (const [key, value] of Object.entries(object)) visit(value, key);
  };
  visit(document.components.schemas, '');
  visit(document.paths, '');
  visit(document.components.parameters, '');
  for (const notAField of ['schema', 'items']) names.delete(notAField);
  return [...names].sort();
}
