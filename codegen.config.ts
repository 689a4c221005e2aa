import type { UserConfig } from '@hey-api/openapi-ts';

/**
 * Configuration of `npm run codegen` for hey-api: generates types, zod, sdk and react-query options from the
 * API document. `server/tools/emitOperations.ts` emits the server's route table and the admin area's schemas.
 */
export function heyApiConfig(document: Record<string, unknown>, output: string): UserConfig {
  const tags = tagsOf(document);
  const tagOf = (name: string) => tags.get(name) ?? tags.get(name.replace(QUERY_SUFFIX, ''));
  return {
    // The parsed document, so that both generators parse the YAML by the same rules (1.2 core).
    input: markLeast(wrapEnums(document)) as Record<string, unknown>,
    output: { path: output, clean: true, entryFile: false },
    logs: { level: 'silent' },
    parser: {
      hooks: {
        symbols: {
          // One file of operations per tag, so that a page loads only its own subjects. Each plugin's usual
          // file re-exports them all.
          getFilePath: ({ meta, name }) => {
            const file = operationsFile(meta?.pluginName);
            if (file === undefined) return undefined;
            if (QUERY_KEY_HELPERS.test(name)) return QUERY_KEYS_FILE;
            const tag = tagOf(name);
            return tag === undefined ? undefined : `${file}/${tag}`;
          },
          getExportFromFilePath: ({ meta, name }) => {
            const file = operationsFile(meta?.pluginName);
            return file !== undefined && tagOf(name) !== undefined ? [file] : undefined;
          },
        },
      },
    },
    plugins: [
      { name: '@hey-api/typescript', enums: false },
      {
        name: 'zod',
        // PostgreSQL prints +00:00, and clients may too.
        dates: { offset: true },
        '~resolvers': {
          // zod would drop `additionalProperties: false` and `minProperties`, but requests that break them are refused.
          object(ctx) {
            const { $, schema, symbols } = ctx;
            const { additionalProperties } = schema;
            const isClosed =
              Boolean(additionalProperties) && (additionalProperties as { type?: string }).type === 'never';
            const least = (schema as Record<string, unknown>)[LEAST];
            if (!isClosed && typeof least !== 'number') return undefined;
            const shape = ctx.nodes.shape(ctx);
            const base = $(symbols.z)
              .attr(isClosed ? 'strictObject' : 'object')
              .call(shape);
            ctx.nodes.base = () =>
              typeof least !== 'number'
                ? base
                : base.attr('refine').call(
                    $.func()
                      .param('value')
                      .do(
                        $.return($('Object').attr('keys').call('value').attr('length').gte($.literal(least))),
                      ),
                    $.literal(`At least ${least} of its fields must be set`),
                  );
            return undefined;
          },
        },
      },
      { name: '@hey-api/client-fetch' },
      { name: '@hey-api/sdk', validator: false },
      {
        name: '@tanstack/react-query',
        queryKeys: { tags: true },
        infiniteQueryOptions: true,
        useQuery: false,
      },
    ],
  };
}

/** Where `markLeast` puts `minProperties`: the generator keeps extensions only. */
const LEAST = 'x-min-properties';

function markLeast(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(markLeast);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, markLeast(value)]));
  return typeof copy.minProperties === 'number' ? { ...copy, [LEAST]: copy.minProperties } : copy;
}

/** Suffixes that the react-query plugin appends to an operationId. */
const QUERY_SUFFIX = /(Infinite)?(Options|QueryKey)$|Mutation$/;
/** Helpers that the operations' query keys use. */
const QUERY_KEY_HELPERS = /^(QueryKey|createQueryKey|createInfiniteParams)$/;
export const QUERY_KEYS_FILE = '@tanstack/queryKeys';

/** Returns the file that exports a plugin's output per operation; undefined for other plugins. */
const operationsFile = (plugin: unknown) =>
  plugin === '@hey-api/sdk'
    ? 'sdk'
    : plugin === '@tanstack/react-query'
      ? '@tanstack/react-query'
      : undefined;

/**
 * Operations in files of their own instead of their tags': those that every page starts with, and those of a team's frame
 * and its list of apps, which would load all operations of their tags otherwise. pageWeight.test.ts holds them together.
 */
const FIRST_OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  start: ['listAnnouncements'],
  first: [
    'deleteSession',
    'dismissAnnouncement',
    'endViewAs',
    'getAppsSummary',
    'getBilling',
    'getNotificationSettings',
    'getWorkspaceQuotas',
    'listApps',
    'listEvents',
    'listNotifications',
    'listOperations',
    'listRecycledCvms',
  ],
};

/** Returns the file of each operation by operationId: its tag, unless a first page has it. */
function tagsOf({ paths }: Record<string, unknown>): Map<string, string> {
  const operations = Object.values(paths as Record<string, Record<string, unknown>>).flatMap((path) =>
    Object.values(path as Record<string, { operationId?: string; tags?: string[] }>),
  );
  return new Map([
    ...operations.map(({ operationId = '', tags: [tag = 'other'] = [] }) => [operationId, tag] as const),
    ...Object.entries(FIRST_OPERATIONS).flatMap(([file, ids]) => ids.map((id) => [id, file] as const)),
  ]);
}

/**
 * Moves an enum's `default` and `readOnly` beside an `allOf` that contains the enum. Both forms mean the same,
 * but the generator, pinned to the last release for Node 20, drops them from the plain one.
 */
function wrapEnums(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(wrapEnums);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, wrapEnums(value)]));
  if (!Array.isArray(copy.enum) || (copy.default === undefined && copy.readOnly === undefined)) return copy;
  const { default: preset, readOnly, ...schema } = copy;
  return {
    allOf: [schema],
    ...(preset !== undefined && { default: preset }),
    ...(readOnly !== undefined && { readOnly }),
  };
}
