import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations, type OperationId } from '../../generated/api/operations.gen';
import { ROOT } from '../root';

interface Schema {
  $ref?: string;
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  maxLength?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

interface Documented {
  operationId: OperationId;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const document = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Documented>>;
  components: { schemas: Record<string, Schema> };
};
const bodies = Object.values(document.paths)
  .flatMap((item) => Object.values(item))
  .flatMap(({ operationId, requestBody }) => {
    const schema = requestBody?.content['application/json']?.schema;
    return schema ? [{ operationId, schema }] : [];
  });

/** Returns the bytes of the longest valid value in ASCII, without spaces; open objects count as empty. */
function longest(schema: Schema | undefined): number {
  if (!schema) return 0;
  if (schema.$ref) return longest(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  if (schema.anyOf) return Math.max(...schema.anyOf.map(longest));
  if (schema.enum) return Math.max(...schema.enum.map((value) => JSON.stringify(value).length));
  const { maxLength = 0, maximum = 0, maxItems = 0, items, properties = {} } = schema;
  const bytes: Partial<Record<string, () => number>> = {
    string: () => maxLength + 2,
    integer: () => String(maximum).length,
    number: () => String(maximum).length,
    boolean: () => 5,
    array: () => 2 + maxItems * (longest(items) + 1),
    object: () => Object.entries(properties).reduce((sum, [k, v]) => sum + k.length + 4 + longest(v), 2),
  };
  return Math.max(...[schema.type ?? []].flat().map((type) => bytes[type]?.() ?? 0), 0);
}

describe("an operation's size limit", () => {
  it('allows the longest body of its schema', () => {
    expect(bodies.length).toBeGreaterThan(100);
    const short = bodies.filter(
      ({ operationId, schema }) => (operations[operationId].bodyBytes || 65_536) < longest(schema),
    );
    expect(short.map(({ operationId }) => operationId)).toEqual([]);
  });
});
