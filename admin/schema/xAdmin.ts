import { z } from 'zod';

/**
 * The closed vocabulary of `x-admin` in openapi/: presentation that a schema can't express. Tests parse it and fail on any
 * other key; the app imports only the types.
 */
const widgets = [
  'status',
  'textarea',
  'formatted',
  'secret',
  'money',
  'month',
  'code',
  'mono',
  'drain_plan',
] as const;

export const schemaHints = z.strictObject({
  /** Description of the list, in the plural; the schema's description is of a single record. */
  about: z.string().max(200).optional(),
  /** The field that names a record for users. */
  title_field: z.string(),
  /** Menu group. */
  group: z.string(),
  /** Parent menu entry, if this is a list of its details. */
  menu_parent: z.string().optional(),
  /** Columns shown by default, in order. */
  columns: z.array(z.string()).min(1).readonly(),
  filters: z.array(z.string()).readonly().default([]),
  /** Sortable fields, for tables too large to sort by any other. */
  sorts: z.array(z.string()).readonly().optional(),
  sort: z.strictObject({ field: z.string(), order: z.enum(['ASC', 'DESC']) }),
  /**
   * Field with the time since when a record is gone. Such records are excluded below other records, whose counts
   * don't include them.
   */
  gone_at: z.string().optional(),
  /** Custom pages below a record, shown to users who may call the operation. */
  pages: z
    .array(
      z.strictObject({ path: z.string(), label: z.string(), operation: z.string(), component: z.string() }),
    )
    .readonly()
    .optional(),
  /** Components below a record's details, and in create and edit forms: files in admin/resources. */
  panels: z.array(z.string()).readonly().optional(),
  /** Component at the top of a record's page, shown if the field has a value. */
  lead_panel: z.strictObject({ field: z.string(), component: z.string() }).optional(),
  create_panel: z.string().optional(),
  edit_panel: z.string().optional(),
});

export const propertyHints = z.strictObject({
  /** Label to use if the field's name reads badly. */
  label: z.string().optional(),
  /** Labels of values whose names read badly or that the console calls something else. */
  words: z.record(z.string(), z.string().min(2).max(40)).optional(),
  /** A machine word, shown as words: "Deploy succeeded" for `deploy.succeeded`. */
  spoken: z.literal(true).optional(),
  /** With `widget: status`: statuses whose icons its values use, if their own mean something else. */
  looks: z.record(z.string(), z.string()).optional(),
  /** Resource that this ID refers to. */
  reference: z.string().optional(),
  /**
   * With `reference`: these records' name on the page of the record they refer to, if it isn't their resource's.
   */
  tab: z.string().optional(),
  /** With `reference`: omits the tab on the page of the record they refer to. */
  no_tab: z.literal(true).optional(),
  /** With `reference: workspaces`: forms offer only teams in which the user's role has this permission. */
  own_permission: z.string().optional(),
  /** Permission without which the field has no value; lists then don't filter or sort by it. */
  needs_permission: z.string().optional(),
  widget: z.enum(widgets).optional(),
  /** With a list of names: resource of the records that have them; each item links to its list. */
  items_of: z.string().optional(),
  /** Fields with the resource and ID of the record named by this text or ID. */
  record: z.strictObject({ resource: z.string(), id: z.string() }).optional(),
  /** Resource from whose records values of this field are suggested in forms. */
  suggest: z.string().optional(),
  /** Field with the host's own limit, which applies if it is lower. */
  host_limit: z.string().optional(),
  /** Field with the limit of this usage, if it isn't named `max_…`. */
  limit: z.string().optional(),
  /** Field with the state of the record's parent, shown beside its own unless it is online. */
  parent_state: z.string().optional(),
  /** Field with the observed health, which comes first in the headline of an unhealthy active record. */
  health: z.string().optional(),
  /** Boolean field: whether the desired state is also the observed one. */
  observed: z.string().optional(),
  /**
   * On the record's page: only if it is neither false, none nor 0; or never as a fact, because a panel shows it.
   */
  on_page: z.enum(['if_set', 'in_panel']).optional(),
  /** For times that users plan by: shows date and time in lists, too. */
  exact: z.literal(true).optional(),
  /** For planned times: field with the time at which the plan ended; after that, nothing of it happens. */
  planned_until: z.string().optional(),
  /** Hidden in lists and forms. */
  hidden: z.boolean().optional(),
  /** In forms, shown only if another field has one of these values. */
  only_for: z.record(z.string(), z.array(z.string()).min(1)).optional(),
});

const fieldValues = z
  .array(z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .min(1)
  .readonly();

const doneSentence = z
  .string()
  .max(120)
  .regex(/^[^{}]*\{record\}[^{}]*(?<!\.)$/, 'must name {record} once, and end without a period');

/** Presentation of an operation; `x-permission` controls access. */
export const operationHints = z.strictObject({
  /** Label of its button, if the name in the address reads badly. */
  label: z.string().optional(),
  /** Confirmation text that states the consequence. */
  confirm: z.string().min(10).max(300).optional(),
  /**
   * What it does to the record, for its dialog and its failure, if "{label} {record}" reads badly. No punctuation.
   */
  ask: doneSentence.optional(),
  /** Label of its dialog's cancel button, if "Cancel" could be mistaken for the action. */
  keep: z.string().max(30).optional(),
  /** Message after success. `{record}` stands for the record's name. */
  done: doneSentence.optional(),
  /** Message instead if this field of the reply is true: it had already been done. */
  unchanged: z.strictObject({ field: z.string(), text: doneSentence }).optional(),
  /** Consequences of a deletion, one sentence each. `{field}` stands for a value of the record. */
  effects: z.array(z.string().min(10).max(200)).min(1).max(5).readonly().optional(),
  /** Requirements on the record; if unmet, its button is disabled with the text. The server still decides. */
  needs: z
    .array(z.strictObject({ field: z.string(), values: fieldValues, text: z.string().min(10).max(200) }))
    .readonly()
    .optional(),
  /** On users: why it can't be done to one's own record. */
  not_self: z.string().min(10).max(200).optional(),
  /** Can't be undone, so the record's name must be typed. */
  danger: z.literal(true).optional(),
  /** Available as a bulk action. */
  bulk: z.literal(true).optional(),
  /** Available only if each field has one of these values. */
  when: z.record(z.string(), fieldValues).optional(),
  /** Component in its form: a file in admin/resources. */
  panel: z.string().optional(),
  /** Has no button; a custom page runs it. */
  hidden: z.literal(true).optional(),
});

export type SchemaHints = z.infer<typeof schemaHints>;
export type PropertyHints = z.infer<typeof propertyHints>;
type FieldValues = readonly (string | number | boolean | null)[];
/** The same hints as in the generated file. */
export interface OperationHints {
  readonly label?: string;
  readonly confirm?: string;
  readonly ask?: string;
  readonly keep?: string;
  readonly done?: string;
  readonly unchanged?: { readonly field: string; readonly text: string };
  readonly effects?: readonly string[];
  readonly needs?: readonly { readonly field: string; readonly values: FieldValues; readonly text: string }[];
  readonly not_self?: string;
  readonly danger?: boolean;
  readonly bulk?: boolean;
  readonly when?: Readonly<Record<string, FieldValues>>;
}
export type Widget = (typeof widgets)[number];
