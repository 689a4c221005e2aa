import { adminForms } from '../../generated/admin/forms.gen';
import { describeFields, type Schemas } from './describe';
import type { FieldDescription, ResourceDescription } from './types';
import { isNumeric } from './value';

/*
 * What is sent, and what actions answer. Apart from `resources`, as lists have no use for it: this part is loaded with the
 * first form.
 */

const schemas: Schemas = adminForms;

/** The fields of a schema by its name; none where the document has no such body. */
export function describeForm(name: string | undefined, given: Schemas = schemas): FieldDescription[] {
  const schema = name === undefined ? undefined : given[name];
  return schema === undefined ? [] : describeFields(schema, given);
}

export const createFields = ({ forms }: Pick<ResourceDescription, 'forms'>, given?: Schemas) =>
  describeForm(forms.create, given);

/**
 * A patch names nothing as required, as any key may be absent from it; but a person who empties a field that was filled means
 * something, and what can be neither null nor empty has to be said so.
 */
export const editFields = ({ forms }: Pick<ResourceDescription, 'forms'>, given?: Schemas) =>
  describeForm(forms.edit, given).map((field) => ({
    ...field,
    required:
      !field.nullable &&
      (isNumeric(field) ||
        field.type === 'reference' ||
        field.choices !== undefined ||
        (field.minLength ?? 0) > 0),
  }));

/** What a form begins with: the defaults of the document. */
export const initialValues = (fields: readonly FieldDescription[]): Record<string, unknown> =>
  Object.fromEntries(fields.flatMap(({ name, initial }) => (initial === undefined ? [] : [[name, initial]])));
