import type { OperationHints, PropertyHints, SchemaHints } from './xAdmin';

/** The subset of JSON Schema (2020-12) used by admin operations. */
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

/** Determines the component for a field; each view maps types to components. */
export type FieldType =
  | 'text'
  | 'long_text'
  /** Prose with the Markdown subset of announcements. */
  | 'formatted'
  | 'mono'
  | 'code'
  | 'secret'
  | 'integer'
  | 'number'
  | 'usage'
  | 'megabytes'
  | 'gigabytes'
  | 'money'
  /** A UTC month, such as 2026-11. */
  | 'month'
  | 'boolean'
  | 'choice'
  | 'status'
  | 'time'
  | 'reference'
  | 'list'
  /** References other records by their slugs. */
  | 'slugs'
  | 'rows'
  /** The plan for each CVM of a teepod. */
  | 'drain_plan'
  | 'json';

/** One field of one view, as plain data. */
export interface FieldDescription {
  name: string;
  label: string;
  type: FieldType;
  help?: string;
  /** Whether the form requires a value. */
  required: boolean;
  nullable: boolean;
  /** Whether the request can omit it. */
  omittable: boolean;
  /** Set only by the server. */
  readOnly: boolean;
  /** For `secret`: the record may have one; an empty input keeps it. */
  isStored?: boolean;
  /** Initial value of a new record. */
  initial?: unknown;
  choices?: readonly string[];
  /** Labels of choices that aren't named after their values. */
  words?: Readonly<Record<string, string>>;
  /** For `text`: a machine word, shown as words. */
  spoken?: true;
  /** For `status`: the statuses whose icons its values use. */
  looks?: Readonly<Record<string, string>>;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  /** As in JSON Schema: unanchored. */
  pattern?: string;
  /** For `reference`: the resource. */
  reference?: string;
  /** For `reference`: these records' name on the page of the record they refer to: "Credit notes". */
  tab?: string;
  /** For `reference`: omits the tab on the page of the record they refer to. */
  noTab?: true;
  /** For `reference` to teams: limits it to teams in which the user's role has this permission. */
  ownPermission?: string;
  /** Permission without which the field has no value. */
  needsPermission?: string;
  /** For `text`: resource from whose records values are suggested. */
  suggest?: string;
  /** For `usage`: the field that holds its limit. */
  limit?: string;
  /** For `status`: field that is false if the record doesn't respond, whatever its desired state. */
  observed?: string;
  /** For `status`: field with the observed health, for headlines. */
  health?: string;
  /** For `status`: field with the state of the record's parent. */
  parentState?: string;
  /** The record's field with the host's own limit, which applies if it is lower. */
  hostLimit?: string;
  /** For `list`: resource of the records that have these names. */
  itemsOf?: string;
  /** For `text` and `mono`: the fields with the resource and ID of the record it names. */
  record?: { resource: string; id: string };
  /** On the record's page: only if it is neither false, none nor 0; or never, because a panel shows it. */
  onPage?: 'if_set' | 'in_panel';
  /** For `time`: shows date and time in lists, too. */
  exact?: true;
  /** For a planned `time`: field with the time at which the plan ended, if it has. */
  plannedUntil?: string;
  /** For `text`: field with the same text as sentence IDs, which the page renders itself. */
  keys?: string;
  /** For `integer` and `number`: unit shown after the number. */
  suffix?: string;
  /** For `usage`: unit of both figures. */
  unit?: 'megabytes' | 'gigabytes';
  /** For `list`: items are IDs, hashes or addresses. */
  mono?: boolean;
  /** In forms, shown only if another field has one of these values. */
  onlyFor?: Readonly<Record<string, readonly string[]>>;
  /** For `rows`: fields of each row. */
  columns?: readonly FieldDescription[];
}

export interface ColumnDescription extends FieldDescription {
  /** Not shown by default. */
  hidden: boolean;
  sortable: boolean;
}

export type Verb = 'list' | 'show' | 'create' | 'edit' | 'delete';

export interface ResourceDescription {
  name: string;
  /** "Instance types", "instance type" */
  label: string;
  singular: string;
  /** Plural for use in a sentence: "instance types". */
  plural: string;
  /** One sentence that describes the resource, if any. */
  about: string | undefined;
  /** A description of a single record, for the page that adds one. */
  aboutOne: string | undefined;
  group: string;
  idType: 'integer' | 'string';
  titleField: string;
  sort: { field: string; order: 'ASC' | 'DESC' };
  /** The field with the time since when a record is gone: deleted or archived. */
  goneAt?: string;
  columns: ColumnDescription[];
  filters: FieldDescription[];
  /** Every field shown on a record's page. */
  fields: FieldDescription[];
  /** Name of the record's schema. */
  schema: string;
  /** Whether its list rows lack fields of the record. */
  partial: boolean;
  /** Names of request schemas, described by `schema/forms`. */
  forms: { create?: string; edit?: string };
  /** Permission required by each verb; a verb without one doesn't exist. */
  permissions: Partial<Record<Verb, string>>;
  /** Response schemas of verbs that may wait for approval. */
  accepted: Partial<Record<Verb, string>>;
  /** Presentation hints of the operations. */
  hints: Partial<Record<Verb, OperationHints>>;
  /** Custom actions. */
  actions: ResourceAction[];
}

/** `POST …/{id}/{name}` */
export interface ResourceAction extends OperationHints {
  name: string;
  label: string;
  permission: string;
  /** Schema of its body, and of its reply if that isn't the record. */
  body?: string;
  reply?: string;
  /** Starts work that continues after the reply. */
  starts?: true;
  /** Accepts an idempotency key. */
  idempotent?: true;
  /** Response schema if it waits for approval. */
  accepted?: string;
}
