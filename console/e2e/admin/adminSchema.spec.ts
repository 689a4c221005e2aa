import { expect, test } from '../browser';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startStandIn, type StandIn } from '../standIn';
import { expectAccessible, openTab, watchConsole } from '../support';

/**
 * Adds a field, a value and a resource to a copy of the API document only. After a normal codegen and build, the
 * running admin area must have all three.
 */

type Node = Record<string, unknown>;
interface Document {
  paths: Node;
  components: {
    schemas: Record<string, Node & { properties: Record<string, Node>; required?: string[] }>;
    examples: Record<string, { value: Node }>;
  };
  'x-permissions': Record<string, unknown>;
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({
  content: { 'application/json': { schema: ref(name) } },
});

function withRacks(document: Document): void {
  const { schemas } = document.components;
  for (const name of ['AdminNode', 'CreateAdminNode', 'AdminNodePatch']) {
    const { properties } = schemas[name]!;
    properties['rack_unit'] = {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: 48,
      description: 'Counted from below.',
    };
    (properties['state'] as { enum: string[] }).enum.push('retired');
  }
  const rack = {
    name: { type: 'string', minLength: 2, maxLength: 40 },
    cooling: { type: 'string', enum: ['air', 'water'], default: 'air' },
    units: { type: 'integer', minimum: 1, maximum: 60 },
    node_id: { type: 'integer', 'x-admin': { reference: 'nodes' } },
    labels: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 20 }, default: [] },
    shelves: { type: 'array', items: ref('AdminShelf'), default: [] },
  };
  schemas['AdminShelf'] = {
    type: 'object',
    required: ['name', 'depth'],
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 20 },
      depth: { type: 'integer', minimum: 1, maximum: 9 },
    },
  };
  schemas['AdminRack'] = {
    type: 'object',
    description: 'Where machines stand.',
    'x-admin': {
      title_field: 'name',
      group: 'infrastructure',
      columns: ['name', 'cooling', 'units', 'node_id'],
      filters: ['cooling'],
      sort: { field: 'name', order: 'ASC' },
    },
    required: ['id', ...Object.keys(rack)],
    properties: { id: { type: 'integer', readOnly: true }, ...rack },
  };
  schemas['AdminRackList'] = {
    type: 'array',
    items: ref('AdminRack'),
  } as never;
  schemas['CreateAdminRack'] = {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'units', 'node_id'],
    properties: rack,
  };
  const operation = (operationId: string, permission: string, more: Node) => ({
    tags: ['admin'],
    operationId,
    summary: operationId,
    'x-permission': permission,
    'x-errors': [],
    'x-limits': { body_bytes: 4096, rate: 'read' },
    ...more,
  });
  document.paths['/admin/racks'] = {
    get: operation('listAdminRacks', 'admin.infra.read', {
      responses: { 200: { description: 'Racks.', ...json('AdminRackList') } },
    }),
    post: operation('createAdminRack', 'admin.infra.write', {
      requestBody: { required: true, ...json('CreateAdminRack') },
      responses: { 201: { description: 'Made.', ...json('AdminRack') } },
    }),
  };
  document.paths['/admin/racks/{id}'] = {
    get: operation('getAdminRack', 'admin.infra.read', {
      parameters: [{ $ref: '#/components/parameters/NumericIdPath' }],
      responses: { 200: { description: 'One.', ...json('AdminRack') } },
    }),
  };
}

let work: string;
let server: StandIn;

test.beforeAll(async () => {
  test.setTimeout(1_200_000);
  work = mkdtempSync(join(tmpdir(), 'teehouse-admin-schema-'));
  const document = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Document;
  withRacks(document);
  writeFileSync(join(work, 'openapi.json'), JSON.stringify(document));
  await promisify(execFile)(process.execPath, ['--import', 'tsx', 'console/e2e/admin/buildAdmin.ts', work]);
  const node = {
    ...document.components.examples['AdminNode']!.value,
    id: 1,
    name: 'rack-server',
    rack_unit: 17,
    state: 'retired',
  };
  server = await startStandIn(join(work, 'dist'), {
    session: {
      ...document.components.examples['Session']!.value,
      platform_role: 'admin',
      platform_permissions: Object.keys(document['x-permissions']).filter((key) => key.startsWith('admin.')),
    },
    rows: { nodes: [node] },
  });
});

test.afterAll(async () => {
  await server?.close();
  rmSync(work, { recursive: true, force: true });
});

test('the admin area follows the OpenAPI document without extra code', async ({ page }) => {
  const complaints = watchConsole(page);
  const main = page.getByRole('main');

  await test.step('a field becomes a column, a fact and an input with help and limits', async () => {
    const table = page.getByRole('table', { name: 'Nodes' });
    // Starting a container changes the network, and this build has no start script that retries.
    await expect(async () => {
      complaints.length = 0;
      await page.goto(`${server.url}/admin/infra/nodes`);
      await expect(table.getByRole('link', { name: 'rack-server' })).toBeVisible({ timeout: 15_000 });
    }).toPass({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Choose columns' }).click();
    const column = page.getByRole('menuitemcheckbox', { name: 'Rack unit' });
    await column.click();
    await expect(column).toHaveAttribute('aria-checked', 'true');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toHaveCount(0);
    await expect(table.getByRole('columnheader', { name: 'Rack unit' })).toBeVisible();
    await expect(table.getByRole('cell', { name: '17', exact: true })).toBeVisible();
    await main.getByRole('link', { name: 'Add node' }).click();
    await expect(main.getByText('Counted from below.')).toBeVisible();
    await main.getByLabel(/^Name/).fill('rack-2');
    await main.getByLabel(/^Rack unit/).fill('49');
    await main.getByRole('button', { name: 'Add node' }).click();
    await expect(main.getByText('Must be at most 48.')).toBeVisible();
  });

  await test.step('an enum value becomes a choice, a filter and a status', async () => {
    await expect(main.getByLabel(/^State/).getByRole('option', { name: 'Retired' })).toBeAttached();
    await main.getByLabel(/^State/).selectOption('retired');
    await main.getByLabel(/^Rack unit/).fill('12');
    await main.getByRole('button', { name: 'Add node' }).click();
    await expect(main.getByRole('heading', { level: 1, name: 'rack-2' })).toBeVisible();
    await expect(main.getByText('Retired').first()).toBeVisible();
    expect(server.written['POST /api/v1/admin/nodes']).toMatchObject({
      rack_unit: 12,
      state: 'retired',
    });
  });

  await test.step('a resource gets a menu entry, a list, a form and a page', async () => {
    const menu = page.getByRole('navigation', { name: 'Sections' });
    await menu.getByRole('link', { name: 'Racks' }).click();
    await expect(page).toHaveURL(`${server.url}/admin/infra/racks`);
    await expect(main.getByText('No racks yet')).toBeVisible();
    await expectAccessible(page);
    await main.getByRole('link', { name: 'Add rack' }).first().click();
    await main.getByLabel(/^Name/).fill('North wall');
    await main.getByLabel(/^Units/).fill('42');
    await main.getByLabel(/^Cooling/).selectOption('water');
    await main.getByLabel(/^Node/).click();
    await page.getByRole('option', { name: 'rack-server' }).click();
    // Lists and rows are edited one value at a time.
    await main.getByRole('button', { name: 'Add to labels' }).click();
    await main.getByRole('textbox', { name: 'Labels 1' }).fill('cold');
    await main.getByRole('button', { name: 'Add to shelves' }).click();
    await main.getByRole('button', { name: 'Add to shelves' }).click();
    const shelves = main.getByRole('group', { name: /^Shelves/ });
    await shelves.getByLabel(/^Name/).first().fill('top');
    await shelves
      .getByLabel(/^Depth/)
      .first()
      .fill('12');
    await main.getByRole('button', { name: 'Add rack' }).click();
    await expect(shelves.getByText('Row 1: Must be at most 9.')).toBeVisible();
    await expectAccessible(page);
    await shelves
      .getByLabel(/^Depth/)
      .first()
      .fill('2');
    await main.getByRole('button', { name: 'Remove shelves 2' }).click();
    await expect(main.getByText('JSON')).toHaveCount(0);
    await expectAccessible(page);
    await main.getByRole('button', { name: 'Add rack' }).click();
    await expect(page).toHaveURL(`${server.url}/admin/infra/racks/1`);
    await expect(main.getByRole('heading', { level: 1, name: 'North wall' })).toBeVisible();
    expect(server.written['POST /api/v1/admin/racks']).toEqual({
      name: 'North wall',
      cooling: 'water',
      units: 42,
      node_id: 1,
      labels: ['cold'],
      shelves: [{ name: 'top', depth: 2 }],
    });
    await expectAccessible(page);
  });

  await test.step('a reference adds a list to the other resource', async () => {
    await main.getByRole('link', { name: 'rack-server' }).click();
    await openTab(page.getByRole('navigation', { name: 'rack-server pages' }), /^Racks/);
    await expect(page).toHaveURL(`${server.url}/admin/infra/nodes/1/racks`);
    await expect(
      page.getByRole('table', { name: 'Racks' }).getByRole('link', { name: 'North wall' }),
    ).toBeVisible();
    await main.getByRole('link', { name: 'Add rack' }).click();
    await expect(page).toHaveURL(`${server.url}/admin/infra/nodes/1/racks/create`);
    await expect(main.getByLabel(/^Name/)).toBeVisible();
    await expect(main.getByLabel(/^Node/)).toHaveCount(0);
  });
  expect(complaints).toEqual([]);
});
