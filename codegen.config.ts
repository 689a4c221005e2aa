import type { UserConfig } from '@hey-api/openapi-ts';

/**
 * What `npm run codegen` asks of hey-api: types, zod, sdk and react-query options from the one document.
 * The server's route table and the admin's schemas are emitted beside them by `server/tools/emitOperations.ts`.
 */
export function heyApiConfig(document: Record<string, unknown>, output: string): UserConfig {
  return {
    // The parsed document, so that both generators read the YAML with the same (1.2 core) rules.
    input: document,
    output: { path: output, clean: true, entryFile: false },
    logs: { level: 'silent' },
    plugins: [
      { name: '@hey-api/typescript', enums: false },
      {
        name: 'zod',
        // PostgreSQL prints +00:00, and so may clients.
        dates: { offset: true },
        $resolvers: {
          // zod would drop `additionalProperties: false`; unknown keys in our own requests are mistakes worth naming.
          object(ctx) {
            const { $, schema, symbols } = ctx;
            if (
              schema.additionalProperties &&
              (schema.additionalProperties as { type?: string }).type === 'never'
            ) {
              const shape = ctx.nodes.shape(ctx);
              ctx.nodes.base = () => $(symbols.z).attr('strictObject').call(shape);
            }
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
