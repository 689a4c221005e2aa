import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { schemaOfStored } from './storedReply';

const schema = z.object({
  id: z.string(),
  added: z.string(),
  nullable: z.string().nullable(),
  either: z.union([z.object({ a: z.number(), b: z.number() }), z.null()]),
  items: z.array(z.object({ name: z.string(), size: z.number().nullable() })),
  some: z.object({ x: z.number(), y: z.number() }).optional(),
});
const both = z.object({ a: z.number() }).and(z.object({ b: z.number().nullable() }));

describe('a reply stored by an earlier release', () => {
  it('is accepted without fields added later, at every level', () => {
    const stored = { id: 'a', either: { a: 1 }, items: [{ name: 'one' }], some: { x: 1 } };
    expect(schemaOfStored(schema).parse(stored)).toEqual({
      id: 'a',
      nullable: null,
      either: { a: 1 },
      items: [{ name: 'one', size: null }],
      some: { x: 1 },
    });
  });

  it('is still stripped and validated', () => {
    expect(schemaOfStored(schema).parse({ id: 'a', secret: 's', items: [{ name: 'b', column: 1 }] })).toEqual(
      {
        id: 'a',
        nullable: null,
        either: null,
        items: [{ name: 'b', size: null }],
      },
    );
    expect(schemaOfStored(schema).safeParse({ id: 5 }).success).toBe(false);
    expect(schemaOfStored(both).parse({ a: 1, c: 2 })).toEqual({ a: 1, b: null });
  });
});
