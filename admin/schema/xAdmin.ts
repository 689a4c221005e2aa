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
  /** What the list has, in the plural: the schema's description is of one record. */
  about: z.string().max(200).optional(),
  /** The field that names a record for users. */
  title_field: z.string(),
  /** Menu group. */
  group: z.string(),
  /** Menu entry that this one belongs to: a list of its details. */
  menu_parent: z.string().optional(),
  /** Columns shown by default, in order. */
  columns: z.array(z.string()).min(1).readonly(),
  filters: z.array(z.string()).readonly().default([]),
  /** Sortable fields, for tables too large to sort by the others. */
  sorts: z.array(z.string()).readonly().optional(),
  sort: z.strictObject({ field: z.string(), order: z.enum(['ASC', 'DESC']) }),
  /** Time that only records of the past have: they are left out below other records, whose figures don't count them. */
  gone_at: z.string().optional(),
  /** Pages of its own below a record, shown to who may call the operation. */
  pages: z
    .array(
      z.strictObject({ path: z.string(), label: z.string(), operation: z.string(), component: z.string() }),
    )
    .readonly()
    .optional(),
  /** Components below the details of a record, and in the forms of a new and an existing one: files of admin/resources. */
  panels: z.array(z.string()).readonly().optional(),
  /** Component that comes first on a record's page while the field has a value. */
  lead_panel: z.strictObject({ field: z.string(), component: z.string() }).optional(),
  create_panel: z.string().optional(),
  edit_panel: z.string().optional(),
});

export const propertyHints = z.strictObject({
  /** Label where the field's name reads badly. */
  label: z.string().optional(),
  /** Labels of its values where their names read badly, or the console has another word for them. */
  words: z.record(z.string(), z.string().min(2).max(40)).optional(),
  /** A machine word, shown as words: "Deploy succeeded" for `deploy.succeeded`. */
  spoken: z.literal(true).optional(),
  /** With `widget: status`: statuses whose icon its values have, where their own stands for something else. */
  looks: z.record(z.string(), z.string()).optional(),
  /** Resource that this ID refers to. */
  reference: z.string().optional(),
  /** With `reference`: name of these records on the page of the record they refer to, if it isn't their resource's. */
  tab: z.string().optional(),
  /** With `reference`: these records get no tab on the page of the record they refer to. */
  no_tab: z.literal(true).optional(),
  /** With `reference: workspaces`: forms offer only teams in which the user's own role has this permission. */
  own_permission: z.string().optional(),
  widget: z.enum(widgets).optional(),
  /** With a list of names: resource of the records that have them, to whose list each item leads. */
  items_of: z.string().optional(),
  /** Fields with the resource and ID of the record that this text or ID names. */
  record: z.strictObject({ resource: z.string(), id: z.string() }).optional(),
  /** Resource whose records' values of this field are suggested in forms. */
  suggest: z.string().optional(),
  /** Field with the host's own limit, which applies where it is lower. */
  host_limit: z.string().optional(),
  /** Field with the limit of this usage, if it isn't named `max_…`. */
  limit: z.string().optional(),
  /** Field with the state of what this record is part of, shown beside its own unless it is online. */
  parent_state: z.string().optional(),
  /** Field with the observed health, which comes first in the headline of an active record that isn't well. */
  health: z.string().optional(),
  /** Boolean field that says whether this desired state is also the observed one. */
  observed: z.string().optional(),
  /** On the record's page: only if it is set, neither false, none nor 0; or not as a fact, because a panel has it. */
  on_page: z.enum(['if_set', 'in_panel']).optional(),
  /** For times by which users plan: date and time in lists, too. */
  exact: z.literal(true).optional(),
  /** For planned times: field with the time when the plan ended, from which on nothing of it happens. */
  planned_until: z.string().optional(),
  /** Hidden in lists and forms. */
  hidden: z.boolean().optional(),
  /** In forms, shown only while another field has one of these values. */
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
  /** Label of its button where the name in the address reads badly. */
  label: z.string().optional(),
  /** Confirmation text that states the consequence. */
  confirm: z.string().min(10).max(300).optional(),
  /** What it does to the record, for its dialog and its failure, where "{label} {record}" reads badly. No punctuation. */
  ask: doneSentence.optional(),
  /** Label of the way out of its dialog, where "Cancel" could be taken for the action. */
  keep: z.string().max(30).optional(),
  /** What happened, once it is done. `{record}` stands for the record's name. */
  done: doneSentence.optional(),
  /** What is said instead where this field of the reply is true: it had been done before. */
  unchanged: z.strictObject({ field: z.string(), text: doneSentence }).optional(),
  /** Its consequences, one sentence each, before a deletion. `{field}` stands for a value of the record. */
  effects: z.array(z.string().min(10).max(200)).min(1).max(5).readonly().optional(),
  /** What the record must be like; otherwise its button is disabled and says the text. The server decides all the same. */
  needs: z
    .array(z.strictObject({ field: z.string(), values: fieldValues, text: z.string().min(10).max(200) }))
    .readonly()
    .optional(),
  /** On users: why it can't be done to oneself. */
  not_self: z.string().min(10).max(200).optional(),
  /** Can't be undone, so the record's name must be typed. */
  danger: z.literal(true).optional(),
  /** Available as a bulk action. */
  bulk: z.literal(true).optional(),
  /** Available only while each field has one of these values. */
  when: z.record(z.string(), fieldValues).optional(),
  /** Component in its form: a file of admin/resources. */
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
