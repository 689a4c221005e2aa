import type { FieldDescription, FieldType, ResourceDescription } from '../schema/types';

/** Kinds that need the width of the page, each under a heading of its own; so does text that may be a paragraph. */
const WIDE: ReadonlySet<FieldType> = new Set(['long_text', 'code', 'json', 'list', 'rows']);
const PARAGRAPH = 1000;

const isWide = ({ type, maxLength = 0 }: FieldDescription) =>
  WIDE.has(type) || (type === 'text' && maxLength >= PARAGRAPH);

/** Which fields go where, by their kind alone. Times and the id are context: they stand in the aside. */
export function arrange(resource: ResourceDescription) {
  const limits = new Set(resource.fields.flatMap((field) => field.limit ?? []));
  const inAside = (field: FieldDescription) =>
    field.name === 'id' || (field.readOnly && field.type === 'time');
  const shown = resource.fields.filter(
    (field) => field.name !== resource.titleField && !limits.has(field.name),
  );
  return {
    usage: shown.filter((field) => field.type === 'usage'),
    wide: shown.filter(isWide),
    details: shown.filter(
      (field) => field.type !== 'usage' && field.type !== 'secret' && !isWide(field) && !inAside(field),
    ),
    aside: resource.fields.filter(inAside),
  };
}
