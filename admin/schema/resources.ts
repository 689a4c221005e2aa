import { adminResources, adminSchemas } from '../../generated/admin/schemas.gen';
import { describeResource, type ResourceEntry, type Schemas } from './describe';
import type { ResourceDescription } from './types';

const entries = adminResources as Readonly<Record<string, ResourceEntry>>;
const schemas: Schemas = adminSchemas;

/** Every admin resource, derived from the API document. */
export const resources: readonly ResourceDescription[] = Object.entries(entries).map(([name, entry]) =>
  describeResource(name, entry, schemas),
);

const byName = new Map(resources.map((resource) => [resource.name, resource]));

export const findResource = (name: string) => byName.get(name);

/** @throws if the document has no such resource, which is a programming error */
export function getResource(name: string): ResourceDescription {
  const found = byName.get(name);
  if (!found) throw new Error(`no admin resource ${name}`);
  return found;
}

/** Returns resources whose records belong to one of `name`, and the referencing field. Lists of references don't make a child. */
export const referencesTo = (name: string) =>
  resources.flatMap((resource) =>
    resource.fields
      .filter(
        (field) =>
          field.type === 'reference' && field.reference === name && resource.permissions.list !== undefined,
      )
      .map((field) => ({ resource, field })),
  );
