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
  /** The only fields that sort, where there are too many rows for the others. */
  sorts: z.array(z.string()).readonly().optional(),
  sort: z.strictObject({ field: z.string(), order: z.enum(['ASC', 'DESC']) }),
});

export const propertyHints = z.strictObject({
  /** Resource whose record this value is the id of. */
  reference: z.string().optional(),
  widget: z.enum(widgets).optional(),
  /** Neither in lists nor in forms. */
  hidden: z.boolean().optional(),
});

/** Of an operation: how it is offered. Who may is `x-permission`'s to say. */
export const operationHints = z.strictObject({
  /** A sentence that says what will happen, shown before it does. */
  confirm: z.string().min(10).max(300).optional(),
  /** Cannot be taken back: the record's name is typed first. */
  danger: z.literal(true).optional(),
  /** Can be done to many at once, as a job. */
  bulk: z.literal(true).optional(),
  /** Offered only while each of these fields has one of these values. */
  when: z
    .record(z.string(), z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).min(1))
    .optional(),
  /** Not offered by itself: a page of its own does. */
  hidden: z.literal(true).optional(),
});

export type SchemaHints = z.infer<typeof schemaHints>;
export type PropertyHints = z.infer<typeof propertyHints>;
/** As the generated file has them. */
export interface OperationHints {
  readonly confirm?: string;
  readonly danger?: boolean;
  readonly bulk?: boolean;
  readonly when?: Readonly<Record<string, readonly (string | number | boolean | null)[]>>;
}
export type Widget = (typeof widgets)[number];
