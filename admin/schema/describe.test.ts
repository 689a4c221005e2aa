import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { adminResources, adminSchemas } from '../../generated/admin/schemas.gen';
import { emitAdminSchemas, type ApiDocument } from '../../server/tools/emitOperations';
import { resources } from './resources';
import { describeResource, type ResourceEntry, type Schemas } from './describe';
import type { JsonSchema } from './types';
import { propertyHints, schemaHints } from './xAdmin';

const entries: Readonly<Record<string, ResourceEntry>> = adminResources;
const schemas: Schemas = adminSchemas;
const readAt = (name: string) => resources.find((resource) => resource.name === name)!;

describe('the document', () => {
  it('uses the x-admin vocabulary and nothing else', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      if (schema['x-admin'] !== undefined) schemaHints.parse(schema['x-admin']);
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        const found = propertyHints.safeParse(property['x-admin'] ?? {});
        expect(found.success, `${name}.${field}: ${found.error?.message ?? ''}`).toBe(true);
      }
    }
  });

  it('names only fields that exist, and resources that exist', () => {
    for (const [name, entry] of Object.entries(entries)) {
      const schema = schemas[entry.schema]!;
      const hints = schemaHints.parse(schema['x-admin']);
      const fields = Object.keys(schema.properties ?? {});
      for (const field of [hints.title_field, hints.sort.field, ...hints.columns, ...hints.filters])
        expect(fields, `${name} names ${field}`).toContain(field);
    }
    for (const schema of Object.values(schemas))
      for (const property of Object.values(schema.properties ?? {})) {
        const { reference } = propertyHints.parse(property['x-admin'] ?? {});
        if (reference !== undefined) expect(Object.keys(entries)).toContain(reference);
      }
  });

  it('refuses an unknown key', () => {
    expect(propertyHints.safeParse({ widget: 'status', colour: 'red' }).success).toBe(false);
    expect(propertyHints.safeParse({ widget: 'map' }).success).toBe(false);
  });
});

describe('a new field of the document', () => {
  // From the YAML itself, through the emitter: exactly what editing the document and running codegen does.
  const document = parse(readFileSync('openapi/product.yaml', 'utf8')) as ApiDocument;
  const added: JsonSchema = {
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 48,
    description: 'Counted from below.',
  };
  for (const name of ['AdminNode', 'CreateAdminNode', 'AdminNodePatch']) {
    const schema = document.components.schemas![name] as unknown as JsonSchema & {
      properties: Record<string, JsonSchema>;
    };
    schema.properties['rack_unit'] = added;
  }
  const text = emitAdminSchemas(document);
  const value = (name: string): unknown => {
    const start = text.indexOf(`export const ${name} = `) + `export const ${name} = `.length;
    return JSON.parse(text.slice(start, text.indexOf(' as const;', start)));
  };
  const nodes = describeResource(
    'nodes',
    (value('adminResources') as Record<string, ResourceEntry>)['nodes']!,
    value('adminSchemas') as Schemas,
  );
  const expected = {
    name: 'rack_unit',
    label: 'Rack unit',
    type: 'integer',
    minimum: 1,
    maximum: 48,
    nullable: true,
  };

  it('is in the list, sortable, without a further line', () => {
    expect(nodes.columns.find((column) => column.name === 'rack_unit')).toMatchObject({
      ...expected,
      sortable: true,
    });
  });

  it('is on the page of the record and in both forms, with its limits and its help', () => {
    for (const view of [nodes.fields, nodes.create, nodes.edit])
      expect(view.find((field) => field.name === 'rack_unit')).toMatchObject({
        ...expected,
        help: 'Counted from below.',
      });
  });
});

describe('descriptions', () => {
  const field = (property: JsonSchema, name = 'thing', siblings: Record<string, JsonSchema> = {}) =>
    describeResource(
      'things',
      { id_type: 'integer', schema: 'Thing', operations: ['list'], permissions: { list: 'p' }, actions: [] },
      {
        Thing: {
          type: 'object',
          required: ['id'],
          properties: { id: { type: 'integer' }, ...siblings, [name]: property },
        },
        State: { type: 'string', enum: ['on', 'off'] },
      },
    ).fields.find((one) => one.name === name);

  it.each<[JsonSchema, string, string]>([
    [{ type: 'string' }, 'thing', 'text'],
    [{ type: 'string', format: 'date-time' }, 'made_at', 'time'],
    [{ type: 'string', enum: ['a', 'b'] }, 'thing', 'choice'],
    [{ type: ['integer', 'null'] }, 'thing', 'integer'],
    [{ type: 'integer' }, 'memory_mb', 'megabytes'],
    [{ type: 'integer' }, 'disk_gb', 'gigabytes'],
    [{ type: 'boolean' }, 'thing', 'boolean'],
    [{ type: 'array', items: { type: 'string' } }, 'thing', 'list'],
    [{ type: 'array', items: { type: 'object' } }, 'thing', 'json'],
    [{ type: 'object' }, 'thing', 'json'],
    [{ type: 'string', 'x-secret': true }, 'thing', 'secret'],
    [{ type: 'integer', 'x-admin': { reference: 'nodes' } }, 'node_id', 'reference'],
    [{ $ref: '#/components/schemas/State' }, 'thing', 'choice'],
    [{ anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] }, 'thing', 'choice'],
  ])('%j called %s is %s', (property, name, type) => {
    expect(field(property, name)?.type).toBe(type);
  });

  it('know null, also in anyOf', () => {
    expect(field({ anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] })).toMatchObject({
      nullable: true,
      choices: ['on', 'off'],
    });
    expect(field({ type: 'string' })?.nullable).toBe(false);
  });

  it('put what is used beside its limit', () => {
    expect(field({ type: 'integer' }, 'used_vcpu', { max_vcpu: { type: 'integer' } })).toMatchObject({
      type: 'usage',
      limit: 'max_vcpu',
    });
    expect(field({ type: 'integer' }, 'used_vcpu')?.type).toBe('integer');
  });

  it('leave out what the document hides', () => {
    expect(field({ type: 'string', 'x-admin': { hidden: true } })).toBeUndefined();
  });

  it('have a column for every field but secrets and code, those of the document first', () => {
    const teepods = readAt('teepods');
    expect(
      teepods.columns
        .filter((column) => !column.hidden)
        .map((column) => column.name)
        .slice(0, 3),
    ).toEqual(['name', 'node_id', 'kind']);
    expect(teepods.columns).toHaveLength(teepods.fields.length);
    expect(readAt('monitoring-events').columns.map((column) => column.name)).not.toContain('envelope');
  });

  it('offer a verb exactly where there is an operation', () => {
    expect(Object.keys(readAt('monitoring-events').permissions)).toEqual(['list', 'show']);
    expect(Object.keys(readAt('nodes').permissions)).toEqual(['list', 'show', 'create', 'edit', 'delete']);
  });

  it('speak as people do', () => {
    const labels = Object.fromEntries(readAt('teepods').fields.map((one) => [one.name, one.label]));
    expect(labels).toMatchObject({
      node_id: 'Node',
      kms_id: 'KMS ID',
      url: 'URL',
      max_cvms: 'Max CVMs',
      max_memory_mb: 'Max memory',
      last_seen_at: 'Last seen',
      used_vcpu: 'Used vCPU',
    });
    expect(readAt('instance-types')).toMatchObject({ label: 'Instance types', singular: 'instance type' });
  });
});
