import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readApiDocument } from './apiDocument';

const PRODUCT = `
openapi: 3.1.0
x-permissions: { public: { roles: [ public ] }, team.read: { roles: [ member ] } }
x-problems: { ERR-00-015: { status: 409, name: CONFLICT, title: Conflict, what_to_do: Reload. } }
components:
  parameters:
    SlugPath: { name: slug, in: path, required: true, schema: { type: string } }
    IfMatch: { name: If-Match, in: header, schema: { type: string } }
  schemas:
    Problem: { type: object }
`;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Writes the parts to a folder and reads the document from it. */
function read(parts: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'teehouse-openapi-'));
  folders.push(folder);
  for (const [file, text] of Object.entries({ 'product.yaml': PRODUCT, 'order.yaml': '{}', ...parts })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return readApiDocument(folder);
}

const operation = (id: string, more = '') => `
/${id}:
  get:
    operationId: ${id}
    x-permission: public
    ${more}
    responses: { '200': { description: Done. } }
`;

describe('the parts of the API document', () => {
  it('are merged in the order of the subjects, and in file order within a subject', () => {
    const document = read({
      'paths/cvms.yaml': operation('listCvms'),
      'paths/accounts.yaml': operation('getSession') + operation('getAccount'),
      'schemas/cvms.yaml': 'schemas: { Cvm: { type: object } }\nexamples: { Cvm: { value: {} } }',
    });
    expect(Object.keys(document.paths)).toEqual(['/getSession', '/getAccount', '/listCvms']);
    expect(Object.keys(document.components['schemas']!)).toEqual(['Problem', 'Cvm']);
    expect(document.components['examples']).toEqual({ Cvm: { value: {} } });
  });

  it('follow order.yaml, and keep a new entry next to its neighbor', () => {
    const document = read({
      'order.yaml': 'paths: [ /getAccount, /listCvms, /getSession ]',
      'paths/accounts.yaml': operation('getSession') + operation('getAccount') + operation('getNew'),
      'paths/cvms.yaml': operation('listCvms'),
      'paths/kms.yaml': operation('listKms'),
    });
    expect(Object.keys(document.paths)).toEqual([
      '/getAccount',
      '/getNew',
      '/listCvms',
      '/getSession',
      '/listKms',
    ]);
  });

  it.each([
    [
      'a file that is not a subject',
      { 'paths/gadgets.yaml': operation('x') },
      /paths\/gadgets\.yaml: not a subject.*accounts, teams/,
    ],
    [
      'a path defined twice',
      { 'paths/apps.yaml': operation('x'), 'paths/cvms.yaml': operation('x') },
      /paths\/cvms\.yaml: paths "\/x" is already defined in openapi\/paths\/apps\.yaml/,
    ],
    [
      'a path defined twice in one file',
      { 'paths/apps.yaml': operation('x') + operation('x') },
      /paths\/apps\.yaml: .*unique/,
    ],
    [
      'a schema defined twice',
      { 'schemas/apps.yaml': 'schemas: { Problem: { type: object } }' },
      /schemas\/apps\.yaml: schemas "Problem" is already defined in openapi\/product\.yaml/,
    ],
    [
      'a schema outside of "schemas"',
      { 'schemas/apps.yaml': 'App: { type: object }' },
      /schemas\/apps\.yaml: "App" is not allowed/,
    ],
    [
      'an entry of order.yaml that does not exist',
      { 'order.yaml': 'schemas: [ Gone ]' },
      /order\.yaml: schemas has no "Gone"/,
    ],
    ['text that is not YAML', { 'paths/apps.yaml': '/x: [' }, /paths\/apps\.yaml: /],
  ])('refuse %s, naming the file', (_what, parts, message) => {
    expect(() => read(parts as Record<string, string>)).toThrow(message);
  });
});

describe('error responses', () => {
  const statuses = (parts: Record<string, string>) => {
    const [item] = Object.values(read(parts).paths);
    return Object.keys(Object.values(item!)[0]!.responses).join(' ');
  };

  it('are few for a public operation without input', () => {
    expect(statuses({ 'paths/apps.yaml': operation('x') })).toBe('200 400 429 500 503');
  });

  it('are derived from permission, parameters, body and x-errors', () => {
    const apps = `
/apps/{slug}:
  patch:
    operationId: x
    x-permission: team.read
    x-errors: [ ERR-00-015 ]
    parameters: [ { $ref: '#/components/parameters/SlugPath' }, { $ref: '#/components/parameters/IfMatch' } ]
    requestBody: { content: { application/json: { schema: { type: object } } } }
    responses: { '200': { description: Done. } }
`;
    expect(statuses({ 'paths/apps.yaml': apps })).toBe('200 400 401 403 404 409 412 413 415 422 429 500 503');
    const omitting = apps.replace('    responses:', "    x-omit-responses: [ '404' ]\n    responses:");
    expect(statuses({ 'paths/apps.yaml': omitting })).toBe('200 400 401 403 409 412 413 415 422 429 500 503');
  });

  it('refuse an unknown error code and a needless omission', () => {
    const unknown = operation('x', 'x-errors: [ ERR-99-999 ]');
    expect(() => read({ 'paths/apps.yaml': unknown })).toThrow(/x: x-errors lists ERR-99-999/);
    const needless = operation('x', "x-omit-responses: [ '404' ]");
    expect(() => read({ 'paths/apps.yaml': needless })).toThrow(/x: x-omit-responses lists 404/);
  });
});
