import { z } from 'zod';

/**
 * The closed vocabulary of `x-admin` in openapi/product.yaml: presentation a schema cannot say. Parsed by the tests, which
 * fail on any other key; the running app imports only the types.
 */
export const widgets = ['status', 'textarea', 'secret', 'money', 'code', 'mono'] as const;

export const schemaHints = z.strictObject({
  /** The field that names a record to people. */
  title_field: z.string(),
  /** Part of the menu. */
  group: z.string(),
  /** Columns shown at first, in order; the others can be switched on. */
  columns: z.array(z.string()).min(1).readonly(),
  filters: z.array(z.string()).readonly().default([]),
  sort: z.strictObject({ field: z.string(), order: z.enum(['ASC', 'DESC']) }),
});

export const propertyHints = z.strictObject({
  /** Resource whose record this value is the id of. */
  reference: z.string().optional(),
  widget: z.enum(widgets).optional(),
  /** Neither in lists nor in forms. */
  hidden: z.boolean().optional(),
});

export type SchemaHints = z.infer<typeof schemaHints>;
export type PropertyHints = z.infer<typeof propertyHints>;
export type Widget = (typeof widgets)[number];
