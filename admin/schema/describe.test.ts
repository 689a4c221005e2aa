import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { adminForms } from '../../generated/admin/forms.gen';
import { adminResources, adminSchemas } from '../../generated/admin/schemas.gen';
import { emitAdminForms, emitAdminSchemas } from '../../server/tools/emitAdminResources';
import type { ApiDocument } from '../../server/tools/emitOperations';
import { isOffered } from '../pages/action';
import { createFields, editFields } from './forms';
import { resources } from './resources';
import { describeResource, type ResourceEntry, type Schemas } from './describe';
import type { JsonSchema } from './types';
import { operationHints, propertyHints, schemaHints } from './xAdmin';

const entries = adminResources as Readonly<Record<string, ResourceEntry>>;
const schemas: Schemas = adminSchemas;
const allForms: Schemas = adminForms;
const readAt = (name: string) => resources.find((resource) => resource.name === name)!;

/** Reads a constant from the emitted text. */
function emitted(text: string, name: string): unknown {
  const start = text.indexOf('= {', text.indexOf(`export const ${name}:`)) + 2;
  return JSON.parse(text.slice(start, text.indexOf(';\n', start)));
}

const readDocument = () => JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as ApiDocument;
const whole = readDocument();

describe('the document', () => {
  it('uses only the x-admin vocabulary', () => {
    for (const [name, schema] of Object.entries({ ...allForms, ...schemas })) {
      if (schema['x-admin'] !== undefined) schemaHints.parse(schema['x-admin']);
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        const found = propertyHints.safeParse(property['x-admin'] ?? {});
        expect(found.success, `${name}.${field}: ${found.error?.message ?? ''}`).toBe(true);
      }
    }
  });

  it('references only existing fields and resources', () => {
    for (const [name, entry] of Object.entries(entries)) {
      const schema = schemas[entry.schema]!;
      const hints = schemaHints.parse(schema['x-admin']);
      const fields = Object.keys(schema.properties ?? {});
      for (const field of [hints.title_field, hints.sort.field, ...hints.columns, ...hints.filters])
        expect(fields, `${name} names ${field}`).toContain(field);
    }
    for (const schema of Object.values({ ...allForms, ...schemas }))
      for (const property of Object.values(schema.properties ?? {})) {
        const { reference } = propertyHints.parse(property['x-admin'] ?? {});
        if (reference !== undefined) expect(Object.keys(entries)).toContain(reference);
      }
  });

  it('rejects an unknown key', () => {
    expect(propertyHints.safeParse({ widget: 'status', colour: 'red' }).success).toBe(false);
    expect(propertyHints.safeParse({ widget: 'map' }).success).toBe(false);
    expect(
      operationHints.safeParse({
        confirm: 'Its CVMs go elsewhere.',
        icon: 'bolt',
      }).success,
    ).toBe(false);
    expect(operationHints.safeParse({ when: { state: [] } }).success).toBe(false);
  });

  it('uses only operation hints on operations', () => {
    for (const [path, item] of Object.entries(whole.paths))
      for (const [method, operation] of Object.entries(item)) {
        const found = operationHints.safeParse(operation['x-admin'] ?? {});
        expect(found.success, `${method} ${path}: ${found.error?.message ?? ''}`).toBe(true);
      }
  });

  it('offers to reload a template only if it came from an address, and knows that its list has no files', () => {
    const { partial, actions } = describeResource('templates', entries.templates!, schemas);
    const reload = actions.find(({ name }) => name === 'reload')!;
    expect(partial).toBe(true);
    expect(isOffered(reload, { id: 'a', origin: 'address' })).toBe(true);
    expect(isOffered(reload, { id: 'a', origin: 'entered' })).toBe(false);
  });

  it('conditions actions only on fields of their resource', () => {
    for (const [name, entry] of Object.entries(entries))
      for (const { name: action, when = {} } of entry.actions)
        for (const field of Object.keys(when))
          expect(Object.keys(schemas[entry.schema]?.properties ?? {}), `${name} ${action}`).toContain(field);
  });
});

describe('a new field of the document', () => {
  // Runs the emitter on a changed document, as codegen does.
  const document = readDocument();
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
  const texts = emitAdminSchemas(document) + emitAdminForms(document);
  const value = (name: string) => emitted(texts, name);
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

  it('appears in the list, sortable, without further code', () => {
    expect(nodes.columns.find((column) => column.name === 'rack_unit')).toMatchObject({
      ...expected,
      sortable: true,
    });
  });

  it('appears on the record page and in both forms, with its limits and help', () => {
    const forms = value('adminForms') as Schemas;
    for (const view of [nodes.fields, createFields(nodes, forms), editFields(nodes, forms)])
      expect(view.find((field) => field.name === 'rack_unit')).toMatchObject({
        ...expected,
        help: 'Counted from below.',
      });
  });
});

it('shows an invoice’s month in words, in the list and on its page', () => {
  const { columns, fields } = readAt('invoices');
  for (const view of [columns, fields])
    expect(view.find(({ name }) => name === 'month')).toMatchObject({ type: 'month' });
});

it('names a field’s values in its help like its choices do', () => {
  const kind = createFields(readAt('audit-destinations'), allForms).find(({ name }) => name === 'kind');
  expect(kind?.help).toMatch(/^Syslog TLS: RFC 5424 over TLS\. Syslog TCP: .* Webhook: /);
});

describe('custom actions', () => {
  const base = {
    tags: ['admin'],
    'x-permission': 'admin.infra.write',
    responses: {
      200: {
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/AdminNode' },
          },
        },
      },
    },
  };
  const body = (name: string) => ({
    content: {
      'application/json': { schema: { $ref: `#/components/schemas/${name}` } },
    },
  });
  const document = structuredClone(whole);
  document.components.schemas!['DrainNode'] = {
    type: 'object',
    properties: { force: { type: 'boolean' } },
  };
  document.components.schemas!['NodeDrain'] = {
    type: 'object',
    properties: { id: { type: 'integer' } },
  };
  Object.assign(document.paths, {
    '/admin/nodes/{id}/drain': {
      post: {
        ...base,
        operationId: 'drainNode',
        'x-idempotent': true,
        'x-admin': {
          confirm: 'Its CVMs are moved.',
          danger: true,
          when: { state: ['online'] },
        },
        requestBody: body('DrainNode'),
        responses: { 202: body('NodeDrain') },
      },
    },
    '/admin/nodes/{id}/wake': { post: { ...base, operationId: 'wakeNode' } },
    '/admin/nodes/{id}/secret': {
      post: { ...base, operationId: 'secretNode', 'x-admin': { hidden: true } },
    },
    '/admin/nodes/{id}/drains/{drain_id}': {
      get: { ...base, operationId: 'getDrain' },
    },
    '/admin/nodes/{id}/capacity': {
      get: { ...base, operationId: 'getCapacity' },
    },
    '/admin/overview': { get: { ...base, operationId: 'getOverview' } },
  });
  const found = emitted(emitAdminSchemas(document), 'adminResources') as Record<string, ResourceEntry>;

  it('include their form, reply and hints', () => {
    expect(found['nodes']?.actions).toEqual([
      {
        name: 'drain',
        permission: 'admin.infra.write',
        body: 'DrainNode',
        reply: 'NodeDrain',
        starts: true,
        idempotent: true,
        confirm: 'Its CVMs are moved.',
        danger: true,
        when: { state: ['online'] },
      },
      { name: 'wake', permission: 'admin.infra.write' },
    ]);
    expect(emitAdminForms(document)).toContain('"DrainNode"');
  });

  it('exclude deeper paths, and resources require a list', () => {
    expect(found['nodes']?.schema).toBe('AdminNode');
    expect(found['nodes']?.operations).toEqual(['list', 'create', 'show', 'edit', 'delete']);
    expect(found['overview']).toBeUndefined();
  });
});

describe('descriptions', () => {
  const field = (property: JsonSchema, name = 'thing', siblings: Record<string, JsonSchema> = {}) =>
    describeResource(
      'things',
      {
        id_type: 'integer',
        schema: 'Thing',
        operations: ['list'],
        permissions: { list: 'p' },
        actions: [],
      },
      {
        Thing: {
          type: 'object',
          required: ['id'],
          properties: {
            id: { type: 'integer' },
            ...siblings,
            [name]: property,
          },
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
    [
      {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string' } } },
      },
      'thing',
      'rows',
    ],
    [{ type: 'object' }, 'thing', 'json'],
    [{ type: 'string', 'x-secret': true }, 'thing', 'secret'],
    [{ type: 'integer', 'x-admin': { reference: 'nodes' } }, 'node_id', 'reference'],
    [{ $ref: '#/components/schemas/State' }, 'thing', 'choice'],
    [{ anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] }, 'thing', 'choice'],
  ])('%j called %s is %s', (property, name, type) => {
    expect(field(property, name)?.type).toBe(type);
  });

  it('handle null, also in anyOf', () => {
    expect(
      field({
        anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }],
      }),
    ).toMatchObject({
      nullable: true,
      choices: ['on', 'off'],
    });
    expect(field({ type: 'string' })?.nullable).toBe(false);
  });

  it('pair usage with its limit', () => {
    expect(
      field({ type: 'integer' }, 'used_vcpu', {
        max_vcpu: { type: 'integer' },
      }),
    ).toMatchObject({
      type: 'usage',
      limit: 'max_vcpu',
    });
    expect(field({ type: 'integer' }, 'used_vcpu')?.type).toBe('integer');
  });

  it('pair a text with its sentence IDs', () => {
    const described = field({ type: 'string' }, 'message', { message_keys: { type: 'array' } });
    expect(described).toMatchObject({ type: 'text', keys: 'message_keys' });
    expect(field({ type: 'string' }, 'message')).not.toHaveProperty('keys');
    expect(readAt('drain-cvms').fields.map(({ name }) => name)).not.toContain('message_keys');
  });

  it('omit hidden fields', () => {
    expect(field({ type: 'string', 'x-admin': { hidden: true } })).toBeUndefined();
  });

  it('have a column for every field except secrets and code, the document’s columns first', () => {
    const teepods = readAt('teepods');
    expect(
      teepods.columns
        .filter((column) => !column.hidden)
        .map((column) => column.name)
        .slice(0, 3),
    ).toEqual(['name', 'state', 'node_id']);
    expect(teepods.columns).toHaveLength(teepods.fields.length);
    expect(readAt('monitoring-events').columns.map((column) => column.name)).not.toContain('envelope');
  });

  it('offer a verb only if the operation exists', () => {
    expect(Object.keys(readAt('monitoring-events').permissions)).toEqual(['list', 'show']);
    expect(Object.keys(readAt('nodes').permissions)).toEqual(['list', 'show', 'create', 'edit', 'delete']);
  });

  it('have readable labels', () => {
    const labels = Object.fromEntries(readAt('teepods').fields.map((one) => [one.name, one.label]));
    expect(labels).toMatchObject({
      node_id: 'Node',
      kms_id: 'KMS',
      url: 'URL',
      max_cvms: 'Max CVMs',
      max_memory_mb: 'Max memory',
      last_seen_at: 'Last seen',
      used_vcpu: 'vCPU',
    });
    expect(readAt('instance-types')).toMatchObject({
      label: 'Instance types',
      singular: 'instance type',
    });
  });
});
