import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiVersions } from '../../../generated/api/apiVersions.gen';
import { operations, type OperationId } from '../../../generated/api/operations.gen';
import { NEWEST_VERSION } from '../../../console/lib/apiVersion';
import { ROOT } from '../../root';
import { CHANGES } from './changes';
import { DEFAULT_VERSION, VERSIONS } from './versions';

interface Document {
  info: { version: string };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        parameters: { $ref?: string }[];
        responses: Record<
          string,
          { $ref?: string; headers?: object; content?: Record<string, { schema: { $ref: string } }> }
        >;
      }
    >
  >;
  components: {
    parameters: Record<string, { schema: { enum: string[]; default: string } }>;
    headers: Record<string, { schema: { enum: string[] } }>;
    responses: Record<string, { headers?: object }>;
  };
}
const document = JSON.parse(readFileSync(join(ROOT, 'generated/openapi.json'), 'utf8')) as Document;
const ids = Object.keys(operations) as OperationId[];

/** Versions whose reply changed in the next one. */
const lastVersions = (id: OperationId) =>
  VERSIONS.filter((_, index) => CHANGES[VERSIONS[index + 1] ?? VERSIONS[0]][id] !== undefined);

describe('the API versions', () => {
  it('are the same in the code and in the document', () => {
    const { parameters, headers } = document.components;
    expect(parameters['ApiVersion']!.schema).toMatchObject({
      enum: [...VERSIONS, 'LATEST'],
      default: DEFAULT_VERSION,
    });
    expect(headers['ApiVersion']!.schema.enum).toEqual([...VERSIONS]);
    expect(document.info.version).toBe(NEWEST_VERSION);
    expect([...VERSIONS].sort().at(-1)).toBe(NEWEST_VERSION);
  });

  it('have a schema in the document for every reply that changed, and for no other', () => {
    for (const id of ids) expect(Object.keys(operations[id].versions), id).toEqual(lastVersions(id));
  });

  it('have a changelog that names each operation whose reply changed, newest version first', () => {
    expect(Object.keys(apiVersions)).toEqual([...VERSIONS].reverse());
    for (const version of VERSIONS) {
      const named = apiVersions[version]?.changes.flatMap(({ operations: changed }) => changed) ?? [];
      expect(named.toSorted(), version).toEqual(Object.keys(CHANGES[version]).toSorted());
    }
  });

  it('list older replies as media types that tools can read', () => {
    const published = Object.values(document.paths).flatMap((item) => Object.values(item));
    for (const { operationId, responses } of published) {
      const media = Object.keys(responses['200']?.content ?? {}).filter((type) => type.includes('version='));
      const older = lastVersions(operationId as OperationId);
      expect(media, operationId).toEqual(older.map((version) => `application/json; version=${version}`));
    }
  });

  it('are a parameter of every request and a header of every response', () => {
    for (const { operationId, parameters, responses } of Object.values(document.paths).flatMap((item) =>
      Object.values(item),
    )) {
      expect(parameters, operationId).toContainEqual({ $ref: '#/components/parameters/ApiVersion' });
      expect(responses, operationId).toHaveProperty('400');
      for (const response of Object.values(responses))
        if (!response.$ref) expect(response.headers, operationId).toHaveProperty('X-Phala-Version');
    }
    for (const response of Object.values(document.components.responses))
      expect(response.headers).toHaveProperty('X-Phala-Version');
  });
});
