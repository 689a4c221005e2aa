import type { OperationHints, PropertyHints, SchemaHints } from './xAdmin';

/** The part of JSON Schema (2020-12) that the document uses for tag admin. */
export interface JsonSchema {
  type?: string | readonly string[];
  format?: string;
  description?: string;
  enum?: readonly (string | null)[];
  required?: readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  items?: JsonSchema;
  $ref?: string;
  anyOf?: readonly JsonSchema[];
  readOnly?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
  default?: unknown;
  'x-secret'?: boolean;
  'x-redact'?: boolean;
  'x-admin'?: PropertyHints | Partial<SchemaHints>;
}

/** What a view needs to know to choose a component; each view has one table from this to a component. */
export type FieldType =
  | 'text'
  | 'long_text'
  | 'mono'
  | 'code'
  | 'secret'
  | 'integer'
  | 'number'
  | 'usage'
  | 'megabytes'
  | 'gigabytes'
  | 'money'
  | 'boolean'
  | 'choice'
  | 'status'
  | 'time'
  | 'reference'
  | 'list'
  | 'rows'
  | 'json';

/** One field of one view, as plain data. */
export interface FieldDescription {
  name: string;
  label: string;
  type: FieldType;
  help?: string;
  /** Must have a value before the form can be sent. */
  required: boolean;
  nullable: boolean;
  /** May be left out of the request when nobody touched it. */
  omittable: boolean;
  /** Set by the server alone. */
  readOnly: boolean;
  /** What a new record starts with. */
  initial?: unknown;
  choices?: readonly string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  /** As in JSON Schema: not anchored by itself. */
  pattern?: string;
  /** For `reference`: the resource. */
  reference?: string;
  /** For `usage`: the field that holds its limit. */
  limit?: string;
  /** For `integer` and `number`: what is counted, as written behind the figure. */
  suffix?: string;
  /** For `usage`: how the two figures read. */
  unit?: 'megabytes' | 'gigabytes';
  /** For `list`: its items are ids, hashes or addresses. */
  mono?: boolean;
  /** For `rows`: what each of them has. */
  columns?: readonly FieldDescription[];
}

export interface ColumnDescription extends FieldDescription {
  /** Off until somebody chooses it. */
  hidden: boolean;
  sortable: boolean;
}

export type Verb = 'list' | 'show' | 'create' | 'edit' | 'delete';

export interface ResourceDescription {
  name: string;
  /** "Instance types", "instance type" */
  label: string;
  singular: string;
  /** Many of them, within a sentence: "instance types". */
  plural: string;
  /** One sentence about what such a record is. */
  about: string;
  group: string;
  idType: 'integer' | 'string';
  titleField: string;
  sort: { field: string; order: 'ASC' | 'DESC' };
  columns: ColumnDescription[];
  filters: FieldDescription[];
  /** Every field of a record, for its page. */
  fields: FieldDescription[];
  /** Name of the schema of a record. */
  schema: string;
  /** Schemas of what is sent; `schema/forms` describes them. */
  forms: { create?: string; edit?: string };
  /** The permission a verb needs; a verb without one does not exist. */
  permissions: Partial<Record<Verb, string>>;
  /** What the document says about doing these, beyond who may. */
  hints: Partial<Record<Verb, OperationHints>>;
  /** What else can be done to a record. */
  actions: ResourceAction[];
}

/** `POST …/{id}/{name}` */
export interface ResourceAction extends OperationHints {
  name: string;
  label: string;
  permission: string;
  /** Schemas of what it takes, and of what it answers other than the record. */
  body?: string;
  reply?: string;
  /** What it starts goes on after the reply. */
  starts?: true;
  /** Takes a key by which sending twice does it once. */
  idempotent?: true;
}
