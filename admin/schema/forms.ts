import { adminForms } from '../../generated/admin/forms.gen';
import { adminSchemas } from '../../generated/admin/schemas.gen';
import { describeFields, type Schemas } from './describe';
import type { FieldDescription, ResourceDescription } from './types';
import { isNumeric } from './value';
import { ownValue } from '../../console/lib/ownValue';

/*
 * Request bodies and action replies. Separate from `resources` because it loads with the first form; lists don't need it.
 */

const schemas: Schemas = { ...adminSchemas, ...adminForms };

/** Returns the fields of a schema by name; none if the document doesn't have it. */
export function describeForm(name: string | undefined, given: Schemas = schemas): FieldDescription[] {
  const schema = name === undefined ? undefined : ownValue(given, name);
  return schema === undefined ? [] : describeFields(schema, given);
}

export const createFields = ({ forms }: Pick<ResourceDescription, 'forms'>, given?: Schemas) =>
  describeForm(forms.create, given);

/**
 * Returns the fields of an edit form. A patch schema requires no key, but a form must reject emptying a field that can be
 * neither null nor empty.
 */
export const editFields = ({ forms }: Pick<ResourceDescription, 'forms'>, given?: Schemas) =>
  describeForm(forms.edit, given).map((field) => ({
    ...field,
    ...(field.type === 'secret' ? { isStored: true } : {}),
    required:
      !field.nullable &&
      (isNumeric(field) ||
        field.type === 'reference' ||
        field.choices !== undefined ||
        (field.minLength ?? 0) > 0),
  }));

/** Returns a form's initial values from the document's defaults. */
export const initialValues = (fields: readonly FieldDescription[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])));

/** Whether a form shows the field, given the values of the others. */
export const applies = (
  { onlyFor = {} }: Pick<FieldDescription, 'onlyFor'>,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(onlyFor).every(([name, choices]) => choices.includes(String(ownValue(values, name))));
