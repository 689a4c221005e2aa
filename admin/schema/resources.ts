import { adminResources, adminSchemas } from '../../generated/admin/schemas.gen';
import { describeResource, type ResourceEntry, type Schemas } from './describe';
import type { ResourceDescription } from './types';

const entries = adminResources as Readonly<Record<string, ResourceEntry>>;
const schemas: Schemas = adminSchemas;

/** Everything the admin area shows, from the document alone. */
export const resources: readonly ResourceDescription[] = Object.entries(entries).map(([name, entry]) =>
  describeResource(name, entry, schemas),
);

const byName = new Map(resources.map((resource) => [resource.name, resource]));

export const findResource = (name: string) => byName.get(name);

/** @throws when the document has no such resource: a mistake of the code, not of a person */
export function getResource(name: string): ResourceDescription {
  const found = byName.get(name);
  if (!found) throw new Error(`no admin resource ${name}`);
  return found;
}

/** Resources whose records point at records of `name`, and by which field. */
export const pointingAt = (name: string) =>
  resources.flatMap((resource) =>
    resource.fields
      .filter((field) => field.reference === name && resource.permissions.list !== undefined)
      .map((field) => ({ resource, field })),
  );
