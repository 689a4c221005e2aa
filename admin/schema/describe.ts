import { fieldLabel, plural, resourceLabel, singular, unitWritten, words } from './labels';
import type {
  ColumnDescription,
  FieldDescription,
  FieldType,
  JsonSchema,
  ResourceAction,
  ResourceDescription,
  Verb,
} from './types';
import type { OperationHints, PropertyHints, SchemaHints, Widget } from './xAdmin';
import { ownValue } from '../../console/lib/ownValue';
import { curly } from '../../console/lib/texts/curly';
import { choiceLabel } from './value';

/*
 * Converts JSON schemas to resource descriptions. Pure, so that tests can show a new field arriving in list and form.
 */

export type Schemas = Readonly<Record<string, JsonSchema>>;

export interface ResourceEntry {
  readonly id_type: string;
  readonly schema: string;
  readonly create?: string;
  readonly update?: string;
  readonly operations: readonly string[];
  readonly permissions: Readonly<Record<string, string>>;
  readonly partial?: boolean;
  readonly accepted?: Readonly<Partial<Record<Verb, string>>>;
  readonly hints?: Readonly<Partial<Record<Verb, OperationHints>>>;
  readonly actions: readonly Readonly<Omit<ResourceAction, 'label'> & OperationHints>[];
}

const VERBS: readonly Verb[] = ['list', 'show', 'create', 'edit', 'delete'];

/** Types too large for a table cell, and types without an order. */
const UNLISTED: ReadonlySet<FieldType> = new Set(['code', 'secret', 'rows', 'drain_plan']);
const UNSORTED: ReadonlySet<FieldType> = new Set(['list', 'slugs', 'json', 'long_text', 'formatted']);

/** The document is plain text, with straight apostrophes and `code`. */
const prose = (text: string | undefined) =>
  text === undefined ? undefined : curly(text.replaceAll('`', ''));

/** Presentation hints with their texts formatted for display. */
const shownHints = <H extends object>(hints: H): H =>
  JSON.parse(JSON.stringify(hints), (_key, value: unknown) =>
    typeof value === 'string' ? curly(value) : value,
  ) as H;

/** Number of columns shown by default when the document lists none. */
const DEFAULT_COLUMNS = 6;

export function describeResource(name: string, entry: ResourceEntry, schemas: Schemas): ResourceDescription {
  const schema = ownValue(schemas, entry.schema) ?? {};
  const hints = (schema['x-admin'] ?? {}) as Partial<SchemaHints>;
  const all = describeFields(schema, schemas);
  const first = hints.columns ?? all.slice(0, DEFAULT_COLUMNS).map((field) => field.name);
  const byName = new Map(all.map((field) => [field.name, field]));
  const ordered = [
    ...first.flatMap((column) => byName.get(column) ?? []),
    ...all.filter((field) => !first.includes(field.name)),
  ];
  const titleField = hints.title_field ?? (byName.has('name') ? 'name' : 'id');
  return {
    name,
    label: resourceLabel(name),
    singular: singular(name),
    plural: plural(name),
    about: prose(hints.about ?? schema.description),
    aboutOne: prose(schema.description),
    group: hints.group ?? 'other',
    idType: entry.id_type === 'integer' ? 'integer' : 'string',
    titleField,
    sort: hints.sort ?? { field: 'id', order: 'ASC' },
    ...(hints.gone_at === undefined ? {} : { goneAt: hints.gone_at }),
    columns: ordered
      .filter((field) => !UNLISTED.has(field.type))
      .map((field): ColumnDescription => ({
        ...field,
        hidden: !first.includes(field.name),
        sortable: !UNSORTED.has(field.type) && (hints.sorts?.includes(field.name) ?? true),
      })),
    filters: (hints.filters ?? []).flatMap((filter) => byName.get(filter) ?? []),
    fields: all,
    schema: entry.schema,
    partial: entry.partial === true,
    forms: {
      ...(entry.create === undefined ? {} : { create: entry.create }),
      ...(entry.update === undefined ? {} : { edit: entry.update }),
    },
    permissions: Object.fromEntries(
      VERBS.filter((verb) => entry.operations.includes(verb)).map((verb) => [
        verb,
        entry.permissions[verb] ?? '',
      ]),
    ),
    accepted: entry.accepted ?? {},
    hints: shownHints(entry.hints ?? {}),
    actions: entry.actions.map((action) => ({
      ...shownHints(action),
      label: action.label ?? words(action.name),
    })),
  };
}

/** Returns the visible fields of a schema in order. */
export function describeFields(schema: JsonSchema, schemas: Schemas): FieldDescription[] {
  const properties = schema.properties ?? {};
  return Object.entries(properties).flatMap(([name, property]) => {
    const resolved = resolve(property, schemas);
    const hints = (resolved.schema['x-admin'] ?? {}) as PropertyHints;
    if (hints.hidden === true) return [];
    const required = schema.required?.includes(name) ?? false;
    return [
      describeField(name, resolved, hints, {
        siblings: properties,
        required,
        schemas,
      }),
    ];
  });
}

interface Resolved {
  schema: JsonSchema;
  type: string;
  nullable: boolean;
}

/** Follows `$ref` and removes null from `type` lists and `anyOf`, which leaves one type. */
function resolve(property: JsonSchema, schemas: Schemas): Resolved {
  const options = property.anyOf ?? [];
  if (options.length > 0) {
    const real = options.filter((option) => option.type !== 'null');
    const inner = real.length === 1 ? resolve(real[0] ?? {}, schemas) : undefined;
    const { anyOf: _, ...own } = property;
    return {
      schema: { ...inner?.schema, ...own },
      type: inner?.type ?? 'object',
      nullable: real.length < options.length || inner?.nullable === true,
    };
  }
  if (property.$ref !== undefined) {
    const { $ref, ...own } = property;
    const target = resolve(ownValue(schemas, $ref.split('/').at(-1) ?? '') ?? {}, schemas);
    return { ...target, schema: { ...target.schema, ...own } };
  }
  const types = ([] as string[]).concat(property.type ?? []);
  return {
    schema: property,
    type: types.find((type) => type !== 'null') ?? 'object',
    nullable: types.includes('null'),
  };
}

const WIDGETS: Readonly<Record<Widget, FieldType>> = {
  status: 'status',
  textarea: 'long_text',
  formatted: 'formatted',
  secret: 'secret',
  money: 'money',
  month: 'month',
  code: 'code',
  mono: 'mono',
  drain_plan: 'drain_plan',
};

interface Place {
  siblings: Readonly<Record<string, JsonSchema>>;
  required: boolean;
  schemas: Schemas;
}

/** Formats the field's values in its help like its choices: “Syslog TLS” for `syslog_tls`. */
const helpOf = (
  description: string,
  values: JsonSchema['enum'] = [],
  own: PropertyHints['words'] = {},
): string =>
  curly(
    description.replace(/`([^`]*)`/g, (_quoted, text: string) =>
      values.includes(text) ? choiceLabel(text, own) : text,
    ),
  );

function describeField(
  name: string,
  { schema, type, nullable }: Resolved,
  hints: PropertyHints,
  { siblings, required, schemas }: Place,
): FieldDescription {
  const limit = hints.limit ?? limitOf(name, siblings);
  const columns = type === 'array' ? columnsOf(schema.items, schemas) : undefined;
  const fieldType = typeOf(name, schema, type, hints, { limit, columns });
  const unit = unitOf(name);
  const suffix = unitWritten(name);
  return {
    name,
    label:
      hints.label ??
      fieldLabel(fieldType === 'usage' ? name.replace(/^used_/, '') : name, {
        reference: fieldType === 'reference',
      }),
    type: fieldType,
    ...(schema.description === undefined
      ? {}
      : { help: helpOf(schema.description, schema.enum, hints.words) }),
    required,
    nullable,
    omittable: !required,
    readOnly: schema.readOnly === true,
    ...(schema.default === undefined ? {} : { initial: schema.default }),
    ...choicesOf(schema),
    ...pick(schema, ['minimum', 'maximum', 'minLength', 'maxLength', 'pattern']),
    ...(hints.reference === undefined ? {} : { reference: hints.reference }),
    ...(hints.words === undefined ? {} : { words: hints.words }),
    ...(hints.spoken === undefined ? {} : { spoken: hints.spoken }),
    ...(hints.looks === undefined ? {} : { looks: hints.looks }),
    ...(hints.no_tab === undefined ? {} : { noTab: hints.no_tab }),
    ...(hints.tab === undefined ? {} : { tab: hints.tab }),
    ...(hints.own_permission === undefined ? {} : { ownPermission: hints.own_permission }),
    ...(hints.needs_permission === undefined ? {} : { needsPermission: hints.needs_permission }),
    ...(hints.suggest === undefined ? {} : { suggest: hints.suggest }),
    ...(hints.record === undefined ? {} : { record: hints.record }),
    ...(hints.items_of === undefined ? {} : { itemsOf: hints.items_of }),
    ...(hints.on_page === undefined ? {} : { onPage: hints.on_page }),
    ...(hints.exact === undefined ? {} : { exact: hints.exact }),
    ...(hints.planned_until === undefined ? {} : { plannedUntil: hints.planned_until }),
    ...(hints.only_for === undefined ? {} : { onlyFor: hints.only_for }),
    ...(fieldType === 'usage' && limit !== undefined ? { limit } : {}),
    ...(hints.observed === undefined ? {} : { observed: hints.observed }),
    ...(hints.health === undefined ? {} : { health: hints.health }),
    ...(hints.parent_state === undefined ? {} : { parentState: hints.parent_state }),
    ...(hints.host_limit === undefined ? {} : { hostLimit: hints.host_limit }),
    ...(fieldType === 'text' && Object.hasOwn(siblings, `${name}_keys`) ? { keys: `${name}_keys` } : {}),
    ...(fieldType === 'usage' && unit !== undefined ? { unit } : {}),
    ...((fieldType === 'integer' || fieldType === 'number') && suffix !== undefined ? { suffix } : {}),
    ...(fieldType === 'rows' && columns ? { columns } : {}),
    ...(fieldType === 'list' && hints.widget === 'mono' ? { mono: true } : {}),
  };
}

/** The values of a choice, or of each item of a list. */
function choicesOf({ enum: own, items }: JsonSchema): Pick<FieldDescription, 'choices'> {
  const values = own ?? items?.enum;
  return values === undefined ? {} : { choices: values.filter((choice) => choice !== null) };
}

function typeOf(
  name: string,
  schema: JsonSchema,
  type: string,
  hints: PropertyHints,
  {
    limit,
    columns,
  }: {
    limit: string | undefined;
    columns: readonly FieldDescription[] | undefined;
  },
): FieldType {
  if (hints.reference !== undefined) return type === 'array' ? 'slugs' : 'reference';
  if (schema['x-secret'] === true) return 'secret';
  if (hints.widget === 'drain_plan') return 'drain_plan';
  if (type === 'array') return resolvesToText(schema.items) ? 'list' : columns ? 'rows' : 'json';
  if (hints.widget !== undefined) return WIDGETS[hints.widget];
  if (schema.enum) return 'choice';
  if (type === 'boolean') return 'boolean';
  if (type === 'integer' || type === 'number') {
    if (limit !== undefined) return 'usage';
    return unitOf(name) ?? type;
  }
  if (type === 'string') return schema.format === 'date-time' ? 'time' : 'text';
  return 'json';
}

/** Returns the fields of a list of objects. Nested objects stay JSON. */
function columnsOf(items: JsonSchema | undefined, schemas: Schemas): FieldDescription[] | undefined {
  const { schema } = resolve(items ?? {}, schemas);
  return schema.properties === undefined ? undefined : describeFields(schema, schemas);
}

const resolvesToText = (items: JsonSchema | undefined) =>
  items?.type === 'string' || items?.type === 'integer';

/** By convention, memory fields end in `_mb` and disk fields in `_gb`. */
function unitOf(name: string): 'megabytes' | 'gigabytes' | undefined {
  if (name.endsWith('_mb')) return 'megabytes';
  return name.endsWith('_gb') ? 'gigabytes' : undefined;
}

/** Returns the limit of a usage field: `max_x` for `used_x`. */
function limitOf(name: string, siblings: Readonly<Record<string, JsonSchema>>): string | undefined {
  const limit = name.startsWith('used_') ? name.replace(/^used_/, 'max_') : undefined;
  return limit !== undefined && Object.hasOwn(siblings, limit) ? limit : undefined;
}

function pick<K extends keyof JsonSchema>(schema: JsonSchema, keys: readonly K[]): Pick<JsonSchema, K> {
  return Object.fromEntries(
    keys.filter((key) => schema[key] !== undefined).map((key) => [key, schema[key]]),
  ) as Pick<JsonSchema, K>;
}
